import { replaceEqualDeep } from "@tanstack/react-query";

interface Versioned {
  version: number;
}

/** For `structuralSharing` of an order: a response can be older than what the live stream wrote while it was requested. */
export function keepNewer(cached: unknown, received: unknown): unknown {
  const isOlder = cached !== undefined && (cached as Versioned).version > (received as Versioned).version;
  return isOlder ? cached : replaceEqualDeep(cached, received);
}
