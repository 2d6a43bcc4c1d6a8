/** Groups stores of one building: their pins would overlap even at the highest zoom. */
import { distanceBetween } from "@/lib/geo";
import type { Store } from "../queries";

/** The map does not zoom in further. A cluster there opens the list of its stores. */
export const MAX_ZOOM = 18;

/** Pins that are closer than this, in pixels, cover each other's touch target. */
const MIN_PIN_DISTANCE = 48;

/** Length of the equator in meters, and its pixels at zoom 0 of MapLibre. */
const EQUATOR_METERS = 40_075_016.686;
const EQUATOR_PIXELS = 512;

/**
 * Stores at nearly the same point. The pin is at the first one, so that pins of different places are never closer than
 * {@link MIN_PIN_DISTANCE} at the highest zoom.
 */
export type Place = readonly [Store, ...Store[]];

/** Returns the places of stores. The order of the stores does not matter, so that a place keeps its pin. */
export function groupByPlace(stores: readonly Store[]): Place[] {
  const places: [Store, ...Store[]][] = [];
  for (const store of [...stores].sort(byId)) {
    const place = places.find(([first]) => isSamePlace(first, store));
    if (place) place.push(store);
    else places.push([store]);
  }
  return places;
}

const byId = (a: Store, b: Store): number => (a.storeId < b.storeId ? -1 : 1);

function isSamePlace(a: Store, b: Store): boolean {
  const metersPerPixel =
    (EQUATOR_METERS * Math.cos((a.latitude * Math.PI) / 180)) / (EQUATOR_PIXELS * 2 ** MAX_ZOOM);
  return distanceBetween(toPosition(a), toPosition(b)) < MIN_PIN_DISTANCE * metersPerPixel;
}

const toPosition = ({ latitude, longitude }: Store) => ({ lat: latitude, lon: longitude });
