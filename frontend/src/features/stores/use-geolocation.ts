import { useSyncExternalStore } from "react";
import { currentPosition, type LocationError, type Position } from "@/lib/geo";
import { isInNativeShell } from "@/native/shell";
import { device } from "@/state/device";

/**
 * The location of the consumer. Requested when the consumer taps a button; after that, if permission was granted, at each start and
 * when the consumer returns to the app or to a screen with distances after {@link MAX_AGE_MS}.
 */
export type GeolocationState =
  | { state: "idle" | "locating" | "denied" | "unavailable"; position: null }
  | { state: "found"; position: Position };

const MAX_AGE_MS = 5 * 60_000;

let current: GeolocationState = { state: "idle", position: null };
const listeners = new Set<() => void>();

function setState(next: GeolocationState): void {
  current = next;
  for (const listener of listeners) listener();
}

let running: Promise<GeolocationState> | undefined;
let requestedAt = 0;

/**
 * Requests the location from the device, which may ask for permission. Resolves to the outcome. A known location stays if the device
 * cannot find a new one; a denial removes it.
 */
export function requestPosition(): Promise<GeolocationState> {
  running ??= findPosition().finally(() => {
    running = undefined;
  });
  return running;
}

async function findPosition(): Promise<GeolocationState> {
  requestedAt = Date.now();
  if (current.state !== "found") setState({ state: "locating", position: null });
  let outcome: GeolocationState;
  try {
    outcome = { state: "found", position: await devicePosition() };
    device.locationServices.set("granted");
  } catch (error) {
    // An Error: the code of the bridge could not be loaded.
    outcome = { state: error instanceof Error ? "unavailable" : (error as LocationError), position: null };
    if (outcome.state === "denied") device.locationServices.set("denied");
  }
  if (outcome.state !== "unavailable" || current.state !== "found") setState(outcome);
  return outcome;
}

/** Requests the location if permission was granted before and the last request is too long ago. */
function updatePosition(): void {
  if (document.visibilityState !== "visible" || device.locationServices.get() !== "granted") return;
  if (Date.now() - requestedAt > MAX_AGE_MS) void requestPosition();
}

/** In a native shell the shell finds the position: it already has the permission, or requests it. */
async function devicePosition(): Promise<Position> {
  if (!isInNativeShell()) return currentPosition();
  const { requestNativePosition } = await import("@/native/geolocation");
  return requestNativePosition();
}

/** Resets the state, for tests. */
export function resetGeolocation(): void {
  requestedAt = 0;
  running = undefined;
  setState({ state: "idle", position: null });
}

export function useGeolocation(): GeolocationState {
  return useSyncExternalStore(subscribe, getState, getState);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  document.addEventListener("visibilitychange", updatePosition);
  updatePosition();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) document.removeEventListener("visibilitychange", updatePosition);
  };
}

const getState = (): GeolocationState => current;
