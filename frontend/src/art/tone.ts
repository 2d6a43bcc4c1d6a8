import type { DrinkParams } from "./drink";
import { getAppearance } from "./liquid/ingredients";
import { type PouredLayer, pour } from "./liquid/layers";
import { blend, chroma, type Hex, luma, mix } from "./sheet/color";

/** Returns a warmer color for dark layers. Otherwise all coffees would have the same tone. */
function warmth({ color, tint, glow }: PouredLayer): Hex {
  return luma(color) < 0.3 ? mix("#B5652C", glow ?? tint, 0.45) : color;
}

/** Returns the background color of a drink: a light mix of its ingredients. The theme mixes it into the surface. */
export function getTone(
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
  if (drizzle) tone = blend(tone, getAppearance(drizzle).tint ?? getAppearance(drizzle).color, 0.3);
  // Dark drinks get a stronger tone.
  return mix(paper, tone, strength * (1.25 - luma(tone) * 0.5));
}
