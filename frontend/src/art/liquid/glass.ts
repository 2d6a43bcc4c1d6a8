import type { Drawing } from "../drink";
import type { Tub } from "../sheet/shapes";

/** The shape of a clear vessel. */
export interface GlassShape extends Tub {
  /** Thickness of the wall. */
  wall: number;
  /** Thickness of the floor. */
  floor: number;
  /** Room between the rim and a full drink, as a share of the height. */
  brim: number;
}

/** A clear vessel with its liquid: where everything is. */
export interface Glass extends GlassShape {
  /** Outer and inner radius at a height on the sheet. */
  rAt(y: number): number;
  rIn(y: number): number;
  /** Height of the inner floor, of a full drink, and of what is poured so far. */
  yFloor: number;
  yFull: number;
  yLevel: number;
  /** Radius of the surface. */
  rLevel: number;
}

/** Measures `shape` filled as far as the drawing says. */
export function measure({ p }: Drawing, shape: GlassShape): Glass {
  const { yT, rT, yB, rB, wall, brim } = shape;
  const rAt = (y: number) => rT + ((rB - rT) * (y - yT)) / (yB - yT);
  const rIn = (y: number) => rAt(y) - wall;
  const yFull = yT + (yB - yT) * brim;
  const yFloor = yB - shape.floor;
  const yLevel = yFloor - (yFloor - yFull) * Math.max(0.02, p.fill);
  return { ...shape, rAt, rIn, yFloor, yFull, yLevel, rLevel: rIn(yLevel) };
}
