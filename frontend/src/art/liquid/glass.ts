import type { Drawing } from "../drink";
import type { Tub } from "../sheet/shapes";

/** The shape of a clear vessel. */
export interface GlassShape extends Tub {
  /** Thickness of the wall. */
  wall: number;
  /** Thickness of the floor. */
  floor: number;
  /** The gap between the rim and a full drink, as a share of the height. */
  brim: number;
}

/** The measures of a clear vessel with its liquid. */
export interface Glass extends GlassShape {
  /** Outer and inner radius at a height on the sheet. */
  getRadius(y: number): number;
  rIn(y: number): number;
  /** Heights of the inner bottom, of a full drink, and of the current fill level. */
  yFloor: number;
  yFull: number;
  yLevel: number;
  /** Radius of the surface. */
  rLevel: number;
}

/** Measures `shape` at the fill level of the drawing. */
export function measure({ p }: Drawing, shape: GlassShape): Glass {
  const { yT, rT, yB, rB, wall, brim } = shape;
  const getRadius = (y: number) => rT + ((rB - rT) * (y - yT)) / (yB - yT);
  const rIn = (y: number) => getRadius(y) - wall;
  const yFull = yT + (yB - yT) * brim;
  const yFloor = yB - shape.floor;
  const yLevel = yFloor - (yFloor - yFull) * Math.max(0.02, p.fill);
  return { ...shape, getRadius, rIn, yFloor, yFull, yLevel, rLevel: rIn(yLevel) };
}
