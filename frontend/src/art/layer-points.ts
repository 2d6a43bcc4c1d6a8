import type { DrinkParams, Vessel } from "./drink";
import type { Tub } from "./sheet/shapes";
import { CX } from "./sheet/svg";
import { coldTub } from "./vessels/cold";
import { paperTub } from "./vessels/paper";
import { tumblerTub } from "./vessels/tumbler";

/** Vessels in which layers can be seen from the side: the outline, and where the drink begins and ends in it. */
const SEEN_THROUGH: Partial<Record<Vessel, { tub(size: number): Tub; from: number; to: number }>> = {
  cold: { tub: coldTub, from: 0.15, to: 0.97 },
  glass: { tub: tumblerTub, from: 0.13, to: 0.92 },
  // through the sight glass in the sleeve
  paper: { tub: paperTub, from: 0.3, to: 0.76 },
};

/** A point on the sheet. */
export interface SheetPoint {
  x: number;
  y: number;
}

/**
 * Where a height of the drink, from 0 (its floor) to 1 (its surface), meets the right wall of its vessel: the end of a
 * callout. Null for vessels that one cannot see into.
 */
export function wallPoint({ vessel, size = 1 }: DrinkParams, height: number): SheetPoint | null {
  const seen = SEEN_THROUGH[vessel];
  if (!seen) return null;
  const { yT, rT, yB, rB } = seen.tub(size);
  const depth = seen.to + (seen.from - seen.to) * height;
  return { x: CX + rT + (rB - rT) * depth, y: yT + (yB - yT) * depth };
}

/** The middle height, from 0 to 1, of the uppermost layer that `is` says yes to; undefined where there is none. */
export function heightOf(
  { layers }: Pick<DrinkParams, "layers">,
  is: (of: string) => boolean,
): number | undefined {
  const sum = layers.reduce((total, { part }) => total + part, 0) || 1;
  let found: number | undefined;
  let reached = 0;
  for (const { of, part } of layers) {
    if (is(of)) found = (reached + part / 2) / sum;
    reached += part;
  }
  return found;
}
