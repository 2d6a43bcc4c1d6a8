import type { Drawing, DrinkParams, Vessel } from "./drink";
import { pour } from "./liquid/layers";
import { palette } from "./sheet/palette";
import { createSeed, seeded } from "./sheet/random";
import { sheet } from "./sheet/svg";
import { bottle } from "./vessels/bottle";
import { ceramicCup } from "./vessels/ceramic";
import { coldCup } from "./vessels/cold";
import { mug } from "./vessels/mug";
import { paperCup } from "./vessels/paper";
import { tumbler } from "./vessels/tumbler";

const VESSELS: Record<Vessel, (drawing: Drawing) => string> = {
  cold: coldCup,
  glass: tumbler,
  paper: paperCup,
  ceramic: ceramicCup,
  mug,
  bottle,
};

/** Draws a drink as SVG text from paths and gradients. Pure: the same parameters return the same string. */
export function drinkArt(params: DrinkParams): string {
  const g = palette(params.id ?? `d${createSeed(JSON.stringify(params)).toString(36)}_`);
  const seed = `${params.vessel} ${params.seed ?? ""}`;
  const drawing: Drawing = {
    g,
    p: {
      ...params,
      size: params.size ?? 1,
      ice: params.ice ?? "regular",
      lid: params.lid ?? "none",
      fill: params.fill ?? 1,
    },
    layers: pour(params.layers),
    scatter: (part) => seeded(createSeed(`${seed} ${part}`)),
  };
  const body = VESSELS[params.vessel](drawing);
  return sheet(body, g.defs, params);
}
