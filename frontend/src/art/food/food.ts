import type { Hex } from "../sheet/color";
import type { Palette } from "../sheet/palette";
import type { Random } from "../sheet/random";
import { type Point, smooth } from "../sheet/shapes";
import { ellipse, svg } from "../sheet/svg";

/** The state of a drawing. */
export interface FoodDrawing {
  readonly g: Palette;
  readonly random: Random;
  /** Omits crumbs and pores that are invisible below 72 px. */
  readonly small: boolean;
  /** Whether a bagel is spread. */
  readonly spread: boolean;
}

/** A kind of food with its variants. The first variant is the default. */
export interface Food<Variant extends string = string> {
  readonly variants: readonly [Variant, ...Variant[]];
  draw(drawing: FoodDrawing, variant: Variant): string;
}

/** Defines a kind of food. Infers the type of its variants. */
export const food = <const Variant extends string>(
  variants: readonly [Variant, ...Variant[]],
  draw: (drawing: FoodDrawing, variant: Variant) => string,
): Food<Variant> => ({ variants, draw });

/** Returns the outline of an irregular circle. */
export function dough(
  cx: number,
  cy: number,
  rx: number,
  ry: number,
  wobble: number,
  corners: number,
  random: Random,
): string {
  const points = Array.from({ length: corners }, (_, i): Point => {
    const angle = (i / corners) * Math.PI * 2;
    const w = 1 + (random() - 0.5) * wobble;
    return [cx + Math.cos(angle) * rx * w, cy + Math.sin(angle) * ry * w];
  });
  return smooth(points);
}

/** A crumb or a grain of flour. */
export const crumb = (x: number, y: number, r: number, color: Hex, opacity = 1): string =>
  ellipse(x, y, r, r * 0.8, `fill="${color}" fill-opacity="${opacity}"`);

/** A pore or a brown spot of a crust: a rotated ellipse. */
export const pore = (
  x: number,
  y: number,
  rx: number,
  ry: number,
  color: Hex,
  opacity: number,
  rotation = 0,
) =>
  ellipse(
    x,
    y,
    rx,
    ry,
    svg`fill="${color}" fill-opacity="${opacity}" transform="rotate(${rotation} ${x} ${y})"`,
  );

/** A small rotated rectangle: sugar, salt, a piece of nut. */
export const flake = (x: number, y: number, w: number, h: number, color: Hex, rotation: number, rest = "") =>
  svg`<rect x="${x}" y="${y}" width="${w}" height="${h}" rx=".4" fill="${color}" transform="rotate(${rotation} ${x} ${y})"${rest}/>`;

/** A round berry with a highlight. */
export function berry({ g }: FoodDrawing, x: number, y: number, r: number, flat = 0.9): string {
  const paint = g.disc(x - r * 0.4, y - r * 0.45, r * 1.55, [
    [0, "#9088BC"],
    [0.35, "#4D457B"],
    [1, "#211A3C"],
  ]);
  return (
    ellipse(x, y, r, r * flat, `fill="${paint}"`) +
    ellipse(x - r * 0.32, y - r * 0.37, r * 0.25, r * 0.16, 'fill="#fff" fill-opacity=".78"')
  );
}

/** A whole strawberry with its leaves. */
export function strawberry(
  { g }: FoodDrawing,
  x: number,
  y: number,
  scale: number,
  rotation: number,
): string {
  const paint = g.box(0.1, 0, 0.9, 1, [
    [0, "#F0717A"],
    [0.45, "#D33A48"],
    [1, "#8E1A2C"],
  ]);
  const seeds = [
    [-6, -4],
    [1, -6],
    [7, -3],
    [-3, 3],
    [4, 4],
    [0, 10],
  ]
    .map(([sx, sy]) => `<ellipse cx="${sx}" cy="${sy}" rx="1" ry="1.5"/>`)
    .join("");
  const leaves =
    '<path d="M-12-10C-8-14-4-13 0-11C4-13 8-14 12-10C8-8 5-8 3-9C2-6-2-6-3-9C-5-8-8-8-12-10Z" fill="#7F9A3E"/><path d="M0-10V-16" stroke="#5F7A2A" stroke-width="2" stroke-linecap="round"/>';
  return `<g transform="translate(${x} ${y}) rotate(${rotation}) scale(${scale})"><path d="M0 17C-13 9-17-3-12-10C-7-15 7-15 12-10C17-3 13 9 0 17Z" fill="${paint}"/><g fill="#FBD98C">${seeds}</g>${leaves}</g>`;
}
