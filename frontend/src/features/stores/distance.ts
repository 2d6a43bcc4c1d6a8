import { distanceBetween, type Position } from "@/lib/geo";
import type { Store } from "./queries";

/** Returns the store with its distance from the consumer; without one if the position is unknown. */
export function withDistance(store: Store, position: Position | null): Store {
  const { latitude: lat, longitude: lon } = store;
  return { ...store, distanceMeters: position && distanceBetween(position, { lat, lon }) };
}
