import { useSyncExternalStore } from "react";
import { currentPosition, type LocationError, type Position } from "@/lib/geo";
import { device } from "@/state/device";

/**
 * Where the person is, as far as they let us know. Asked for only on their own press (the location screen, "Near me");
 * once they said yes, found again at each start without a question.
 */
export type GeolocationState =
  | { state: "idle" | "locating" | "denied" | "unavailable"; position: null }
  | { state: "found"; position: Position };

let now: GeolocationState = { state: "idle", position: null };
const listeners = new Set<() => void>();

function become(next: GeolocationState): void {
  now = next;
  for (const listener of listeners) listener();
}

/** Asks the device, and through it perhaps the person. Resolves with what came of it. */
export async function requestPosition(): Promise<GeolocationState> {
  if (now.state === "locating") return now;
  if (now.state !== "found") become({ state: "locating", position: null });
  try {
    const position = await currentPosition();
    device.locationServices.set("granted");
    become({ state: "found", position });
  } catch (refusal) {
    const state = refusal as LocationError;
    if (state === "denied") device.locationServices.set("denied");
    become({ state, position: null });
  }
  return now;
}

/** Forgets where the person is: for tests, and for who no longer wants to be found. */
export function resetGeolocation(): void {
  become({ state: "idle", position: null });
}

export function useGeolocation(): GeolocationState {
  return useSyncExternalStore(subscribe, geolocation, geolocation);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // The first who wants to know starts the search, where the person already said yes.
  if (now.state === "idle" && device.locationServices.get() === "granted") void requestPosition();
  return () => listeners.delete(listener);
}

const geolocation = (): GeolocationState => now;
