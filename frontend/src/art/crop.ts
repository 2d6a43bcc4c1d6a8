import type { DrinkParams } from "./drink";
import type { ItemArtParams } from "./selection";
import { getStrawTop } from "./tops/straw";
import { coldTub } from "./vessels/cold";
import { paperTub } from "./vessels/paper";

/** The lower edge of each crop, a little below the counter. */
const BOTTOM = 292;
/** Highest top of a crop, so that small drinks look small beside large ones. */
const TOP = 64;

/** Returns the y coordinate of the highest part of a drink. */
function getDrinkTop({ vessel, size = 1, whip, lid, straw }: DrinkParams): number {
  if (vessel !== "cold" && vessel !== "paper") return TOP;
  const { yT, rT } = vessel === "cold" ? coldTub(size) : paperTub(size);
  const tops = [yT - 18];
  if (whip) tops.push(yT - 62);
  if (lid === "dome") tops.push(yT - rT * 0.8 - 6);
  if (straw && vessel === "cold") tops.push(getStrawTop(yT, { whip: whip ?? false }) - 4);
  return Math.min(...tops);
}

/** Returns a viewBox with the whole item, so that straws, whip and saucers are never cut. `ratio` is width over height. */
export function cropArt(art: ItemArtParams, ratio: number): string {
  if (art.kind === "food") return "-6 78 252 214";
  const { vessel } = art.params;
  const top = Math.max(0, Math.min(TOP, getDrinkTop(art.params)));
  const height = BOTTOM - top;
  // Saucers and handles are wider than the vessel.
  const width = Math.max(height * ratio, vessel === "ceramic" || vessel === "mug" ? 228 : 0);
  return [120 - width / 2 - (vessel === "ceramic" ? 3 : 0), top, width, height].map(Math.round).join(" ");
}
