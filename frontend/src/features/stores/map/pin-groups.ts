/** Groups pins that would cover each other on the screen. They become one pin with the number of their stores until the map is zoomed in. */
import type { Cluster, Store } from "../queries";
import type { Place } from "./places";

/** What a pin shows: the stores of a place, or a cluster of the server. */
export type Spot = Place | Cluster;

export type PinGroup = readonly [Spot, ...Spot[]];

/** The space of a pin in pixels at normal text size, with its tip and a gap. */
const PIN_WIDTH = 80;
const PIN_HEIGHT = 48;
/** How much larger the pin of the selected store is. */
const SELECTED_SCALE = 1.25;

/** Pixels of the world at zoom 0 of MapLibre. */
const WORLD_PIXELS = 512;

interface ScreenOptions {
  zoom: number;
  /** The text size, 1 is normal. */
  textScale: number;
  /** The selected store. */
  current: string | undefined;
}

export const isPlace = (spot: Spot): spot is Place => Array.isArray(spot);

/** Returns where a spot is: a place is at its first store. */
export const locate = (spot: Spot): Pick<Store, "latitude" | "longitude"> => (isPlace(spot) ? spot[0] : spot);

export const countStores = (spot: Spot): number => (isPlace(spot) ? spot.length : spot.count);

/**
 * Returns the groups, each with its pin at the first spot. Pins of different groups do not cover each other. The order of the
 * spots decides which become pins, so equal spots keep their pins. The selected store comes first.
 */
export function groupPins(spots: readonly Spot[], { zoom, textScale, current }: ScreenOptions): PinGroup[] {
  const isSelected = (spot: Spot) => isPlace(spot) && spot.some(({ storeId }) => storeId === current);
  const sorted = [...spots].sort((a, b) => Number(isSelected(b)) - Number(isSelected(a)));
  const groups: { x: number; y: number; scale: number; spots: [Spot, ...Spot[]] }[] = [];
  for (const spot of sorted) {
    const { x, y } = project(locate(spot), zoom);
    const covering = groups.find(
      (group) =>
        Math.abs(group.x - x) < PIN_WIDTH * group.scale && Math.abs(group.y - y) < PIN_HEIGHT * group.scale,
    );
    if (covering) covering.spots.push(spot);
    else groups.push({ x, y, scale: textScale * (isSelected(spot) ? SELECTED_SCALE : 1), spots: [spot] });
  }
  return groups.map(({ spots }) => spots);
}

/** Returns the pixels of a position in the web Mercator projection. */
function project({ latitude, longitude }: Pick<Store, "latitude" | "longitude">, zoom: number) {
  const size = WORLD_PIXELS * 2 ** zoom;
  const sine = Math.sin((latitude * Math.PI) / 180);
  return {
    x: (longitude / 360 + 0.5) * size,
    y: (0.5 - Math.atanh(sine) / (2 * Math.PI)) * size,
  };
}
