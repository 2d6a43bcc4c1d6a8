import type { Edge, Layer } from "../drink";
import { blend, darker, type Hex, lighter, luma } from "../sheet/color";
import type { Stop } from "../sheet/palette";
import { type Ingredient, lookOf } from "./ingredients";

/** A layer as it looks in the glass. */
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
  ...lookOf("water"),
  name: "water",
  tint: "#DDD3BE",
  glow: "#FFFFFF",
  milky: false,
  foam: false,
  edge: "soft",
  part: 1,
};

/** Stirs and stacks `layers` (bottom to top). */
export function pour(layers: readonly Layer[]): PouredLayer[] {
  const sum = layers.reduce((total, { part }) => total + part, 0) || 1;
  return layers.map((layer) => {
    const base = lookOf(layer.of);
    const stirred = Object.entries(layer.mix ?? {}) as [Ingredient, number][];
    let { color, skin } = base;
    for (const [other, amount] of stirred) {
      const tint = lookOf(other).tint ?? lookOf(other).color;
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

/** The uppermost layer. */
export const topOf = (layers: readonly PouredLayer[]): PouredLayer => layers.at(-1) ?? WATER;

/** The lowest layer. */
export const floorOf = (layers: readonly PouredLayer[]): PouredLayer => layers[0] ?? WATER;

/** The layer below the uppermost one, or that one where there is no other. */
export const underOf = (layers: readonly PouredLayer[]): PouredLayer => layers.at(-2) ?? topOf(layers);

/** The layer at a height from 0 (floor) to 1 (surface). */
export function layerAt(layers: readonly PouredLayer[], height: number): PouredLayer {
  let reached = 0;
  for (const layer of layers) {
    reached += layer.part;
    if (reached >= height - 0.001) return layer;
  }
  return topOf(layers);
}

/** The layers that are in the vessel when it is filled to a height from 0 to 1. */
export function pouredSoFar(layers: readonly PouredLayer[], fill: number): readonly PouredLayer[] {
  return fill >= 1 ? layers : layers.slice(0, layers.indexOf(layerAt(layers, fill)) + 1);
}

/** Neighbours from the surface down: each layer with the one above and below it. */
export function descending(layers: readonly PouredLayer[]) {
  const down = [...layers].reverse();
  return down.map((layer, i) => ({ layer, above: down[i - 1], below: down[i + 1] }));
}

/** How far two layers reach into each other, in parts of the whole height. */
function melt(edge: Edge, a: number, b: number): number {
  if (edge === "sharp") return 0.008;
  return Math.min(a, b) * (edge === "swirl" ? 0.42 : 0.3);
}

/** Gradient stops from the surface (0) to the floor (1). Where two liquids melt, the middle is their blend, so it stays golden. */
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
