import type { LocationError, Position } from "@/lib/geo";
import { requestFromShell } from "./bridge";

/** The device may ask the consumer for permission first. */
const TIMEOUT_MS = 60_000;

/** Returns the position of the device, which the native shell reads. Rejects with a {@link LocationError}. */
export async function requestNativePosition(): Promise<Position> {
  const reply = await requestFromShell("geo-request", {}, TIMEOUT_MS);
  const { latitude, longitude, error = "unavailable" } = reply ?? {};
  if (latitude !== undefined && longitude !== undefined) return { lat: latitude, lon: longitude };
  throw error satisfies LocationError;
}
