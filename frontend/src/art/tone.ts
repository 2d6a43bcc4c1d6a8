import type { DrinkParams } from "./drink";
import { pour } from "./liquid/layers";
import { chroma, type Hex, luma, mix } from "./sheet/color";

/** The colour of the stage behind a drink: the warmth of its strongest ingredient, thinned into the paper. */
export function toneOf(
  { layers }: Pick<DrinkParams, "layers">,
  paper: Hex = "#F1E6D5",
  strength = 0.13,
): Hex {
  const poured = pour(layers);
  const strongest = poured.reduce((best, layer) => (luma(layer.color) < luma(best.color) ? layer : best));
  const warm = luma(strongest.color) < 0.3 ? mix("#C58A4C", strongest.tint, 0.2) : strongest.color;
  return mix(paper, warm, strength + chroma(warm) * 0);
}
