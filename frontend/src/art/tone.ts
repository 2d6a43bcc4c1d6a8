import type { DrinkParams } from "./drink";
import { lookOf } from "./liquid/ingredients";
import { type PouredLayer, pour } from "./liquid/layers";
import { blend, chroma, type Hex, luma, mix } from "./sheet/color";

/**
 * The colour a layer gives to a room: what shines through a dark drink is its warm edge, not its black
 * middle. Without this every coffee would stand before the same sand.
 */
function warmth({ color, tint, glow }: PouredLayer): Hex {
  return luma(color) < 0.3 ? mix("#B5652C", glow ?? tint, 0.45) : color;
}

/**
 * The colour of the stage behind a drink, to be mixed into the surface by the theme: its ingredients as
 * if stirred together, the strong ones before the pale ones, thinned into the paper.
 */
export function toneOf(
  { layers, drizzle }: Pick<DrinkParams, "layers" | "drizzle">,
  paper: Hex = "#F1E6D5",
  strength = 0.16,
): Hex {
  let tone: Hex | undefined;
  let weight = 0;
  for (const layer of pour(layers)) {
    const color = warmth(layer);
    const share = layer.part * (0.12 + chroma(color) ** 1.5) * (layer.foam ? 0.3 : 1);
    weight += share;
    tone = tone === undefined ? color : blend(tone, color, share / weight);
  }
  if (tone === undefined) return paper;
  if (drizzle) tone = blend(tone, lookOf(drizzle).tint ?? lookOf(drizzle).color, 0.3);
  // a dark drink deepens the room, a pale one leaves it light
  return mix(paper, tone, strength * (1.25 - luma(tone) * 0.5));
}
