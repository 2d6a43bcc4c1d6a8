import type { Edge, Layer } from "../drink";
import { blend, darker, type Hex, lighter, luma } from "../sheet/color";
import type { Stop } from "../sheet/palette";
import { getAppearance, type Ingredient } from "./ingredients";

/** A layer with its colors. */
export interface PouredLayer {
  readonly name: Ingredient;
  readonly color: Hex;
  readonly skin: Hex;
  readonly tint: Hex;
  readonly glow: Hex | undefined;
  readonly milky: boolean;
  readonly foam: boolean;
  readonly edge: Edge;
  /** Share of the height; all parts of a drink sum to 1. */
  readonly part: number;
}

const WATER: PouredLayer = {
  ...getAppearance("water"),
  name: "water",
  tint: "#DDD3BE",
  glow: "#FFFFFF",
  milky: false,
  foam: false,
  edge: "soft",
  part: 1,
};

/** Resolves the colors of `layers` (bottom to top). */
export function pour(layers: readonly Layer[]): PouredLayer[] {
  const sum = layers.reduce((total, { part }) => total + part, 0) || 1;
  return layers.map((layer) => {
    const base = getAppearance(layer.of);
    const stirred = Object.entries(layer.mix ?? {}) as [Ingredient, number][];
    let { color, skin } = base;
    for (const [other, amount] of stirred) {
      const tint = getAppearance(other).tint ?? getAppearance(other).color;
      color = blend(color, tint, amount);
      skin = blend(skin, tint, amount * 0.85);
    }
    return {
      name: layer.of,
      color,
      skin,
      tint: stirred.length > 0 ? color : (base.tint ?? color),
      glow: base.glow,
      milky: base.milky ?? false,
      foam: base.foam ?? false,
      edge: layer.edge ?? "soft",
      part: layer.part / sum,
    };
  });
}

export const topLayer = (layers: readonly PouredLayer[]): PouredLayer => layers.at(-1) ?? WATER;

export const bottomLayer = (layers: readonly PouredLayer[]): PouredLayer => layers[0] ?? WATER;

/** Returns the layer below the top one, or the top one if it is the only layer. */
export const secondLayer = (layers: readonly PouredLayer[]): PouredLayer => layers.at(-2) ?? topLayer(layers);

/** The layer at a height from 0 (floor) to 1 (surface). */
export function findLayer(layers: readonly PouredLayer[], height: number): PouredLayer {
  let reached = 0;
  for (const layer of layers) {
    reached += layer.part;
    if (reached >= height - 0.001) return layer;
  }
  return topLayer(layers);
}

/** Returns the layers up to a fill level from 0 to 1. */
export function visibleLayers(layers: readonly PouredLayer[], fill: number): readonly PouredLayer[] {
  return fill >= 1 ? layers : layers.slice(0, layers.indexOf(findLayer(layers, fill)) + 1);
}

/** Returns each layer with its neighbors, from top to bottom. */
export function descending(layers: readonly PouredLayer[]) {
  const down = [...layers].reverse();
  return down.map((layer, i) => ({ layer, above: down[i - 1], below: down[i + 1] }));
}

/** The overlap of two layers as a share of the height. */
function melt(edge: Edge, a: number, b: number): number {
  if (edge === "sharp") return 0.008;
  return Math.min(a, b) * (edge === "swirl" ? 0.42 : 0.3);
}

/** Returns gradient stops from the surface (0) to the bottom (1). Between two liquids is their blend. */
export function layerStops(layers: readonly PouredLayer[]): Stop[] {
  const stops: Stop[] = [];
  let y = 0;
  for (const { layer, above, below } of descending(layers)) {
    const { color, part, edge } = layer;
    const meltIn = above ? melt(above.edge, above.part, part) : 0;
    const meltOut = below ? melt(edge, part, below.part) : 0;
    const light = luma(color);
    stops.push([Math.min(y + meltIn, y + part * 0.5), lighter(color, light > 0.5 ? 0.12 : 0.04)]);
    stops.push([Math.max(y + part - meltOut, y + part * 0.5), darker(color, light > 0.75 ? 0.03 : 0.08)]);
    y += part;
    if (below && edge !== "sharp" && Math.abs(light - luma(below.color)) > 0.25) {
      const [pale, deep] = light > luma(below.color) ? [layer, below] : [below, layer];
      const [first, second] = pale === below ? [0.62, 0.3] : [0.3, 0.62];
      stops.push(
        [y - meltOut * 0.3, blend(pale.color, deep.tint, first)],
        [y + meltOut * 0.34, blend(pale.color, deep.tint, second)],
      );
    }
  }
  return stops;
}
