/** Groups pins that would cover each other on the screen. They become one pin with the number of their stores until the map is zoomed in. */
import type { Cluster, Store } from "../queries";
import type { Place } from "./places";

/** What a pin shows: the stores of a place, or a cluster of the server. */
export type PinContent = Place | Cluster;

export type PinGroup = readonly [PinContent, ...PinContent[]];

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

export const isPlace = (content: PinContent): content is Place => Array.isArray(content);

/** Returns where the content is: a place is at its first store. */
export const locate = (content: PinContent): Pick<Store, "latitude" | "longitude"> =>
  isPlace(content) ? content[0] : content;

export const countStores = (content: PinContent): number =>
  isPlace(content) ? content.length : content.count;

/**
 * Returns the groups, each with its pin at its first content. Pins of different groups do not cover each other. The order of the
 * contents decides which become pins, so equal contents keep their pins. The selected store comes first.
 */
export function groupPins(
  contents: readonly PinContent[],
  { zoom, textScale, current }: ScreenOptions,
): PinGroup[] {
  const isSelected = (content: PinContent) =>
    isPlace(content) && content.some(({ storeId }) => storeId === current);
  const sorted = [...contents].sort((a, b) => Number(isSelected(b)) - Number(isSelected(a)));
  const groups: { x: number; y: number; scale: number; contents: [PinContent, ...PinContent[]] }[] = [];
  for (const content of sorted) {
    const { x, y } = project(locate(content), zoom);
    const covering = groups.find(
      (group) =>
        Math.abs(group.x - x) < PIN_WIDTH * group.scale && Math.abs(group.y - y) < PIN_HEIGHT * group.scale,
    );
    if (covering) covering.contents.push(content);
    else
      groups.push({
        x,
        y,
        scale: textScale * (isSelected(content) ? SELECTED_SCALE : 1),
        contents: [content],
      });
  }
  return groups.map(({ contents }) => contents);
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
