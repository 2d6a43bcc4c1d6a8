import { useSyncExternalStore } from "react";
import { currentPosition, type LocationError, type Position } from "@/lib/geo";
import { isInNativeShell } from "@/native/shell";
import { device } from "@/state/device";

/**
 * The location of the consumer. Requested when the consumer taps a button; after that, at each start if permission was
 * granted.
 */
export type GeolocationState =
  | { state: "idle" | "locating" | "denied" | "unavailable"; position: null }
  | { state: "found"; position: Position };

let current: GeolocationState = { state: "idle", position: null };
const listeners = new Set<() => void>();

function setState(next: GeolocationState): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Requests the location from the device, which may ask for permission. Resolves to the new state. */
export async function requestPosition(): Promise<GeolocationState> {
  if (current.state === "locating") return current;
  if (current.state !== "found") setState({ state: "locating", position: null });
  try {
    const position = await devicePosition();
    device.locationServices.set("granted");
    setState({ state: "found", position });
  } catch (error) {
    // An Error: the code of the bridge could not be loaded.
    const state = error instanceof Error ? "unavailable" : (error as LocationError);
    if (state === "denied") device.locationServices.set("denied");
    setState({ state, position: null });
  }
  return current;
}

/** In a native shell the shell finds the position: it already has the permission, or requests it. */
async function devicePosition(): Promise<Position> {
  if (!isInNativeShell()) return currentPosition();
  const { requestNativePosition } = await import("@/native/geolocation");
  return requestNativePosition();
}

/** Resets the state, for tests. */
export function resetGeolocation(): void {
  setState({ state: "idle", position: null });
}

export function useGeolocation(): GeolocationState {
  return useSyncExternalStore(subscribe, getState, getState);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // The first subscriber requests the location if permission was granted before.
  if (current.state === "idle" && device.locationServices.get() === "granted") void requestPosition();
  return () => listeners.delete(listener);
}

const getState = (): GeolocationState => current;
