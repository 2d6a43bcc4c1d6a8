import type { DrinkParams, Vessel } from "./drink";
import type { Tub } from "./sheet/shapes";
import { CX } from "./sheet/svg";
import { coldTub } from "./vessels/cold";
import { paperTub } from "./vessels/paper";
import { tumblerTub } from "./vessels/tumbler";

/** Transparent vessels: the outline, and the visible range of the drink in it. */
const TRANSPARENT_VESSELS: Partial<Record<Vessel, { tub(size: number): Tub; from: number; to: number }>> = {
  cold: { tub: coldTub, from: 0.15, to: 0.97 },
  glass: { tub: tumblerTub, from: 0.13, to: 0.92 },
  // Visible through the window in the sleeve.
  paper: { tub: paperTub, from: 0.3, to: 0.76 },
};

/** A point on the sheet. */
export interface SheetPoint {
  x: number;
  y: number;
}

/**
 * Returns the point on the right wall at a height of the drink from 0 (bottom) to 1 (surface), for a callout. Null for
 * opaque vessels.
 */
export function wallPoint({ vessel, size = 1 }: DrinkParams, height: number): SheetPoint | null {
  const visible = TRANSPARENT_VESSELS[vessel];
  if (!visible) return null;
  const { yT, rT, yB, rB } = visible.tub(size);
  const depth = visible.to + (visible.from - visible.to) * height;
  return { x: CX + rT + (rB - rT) * depth, y: yT + (yB - yT) * depth };
}

/** Returns the middle height (0 to 1) of the top layer that matches, or undefined. */
export function findLayerHeight(
  { layers }: Pick<DrinkParams, "layers">,
  matches: (of: string) => boolean,
): number | undefined {
  const sum = layers.reduce((total, { part }) => total + part, 0) || 1;
  let found: number | undefined;
  let reached = 0;
  for (const { of, part } of layers) {
    if (matches(of)) found = (reached + part / 2) / sum;
    reached += part;
  }
  return found;
}
