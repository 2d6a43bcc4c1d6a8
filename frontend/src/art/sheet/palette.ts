import type { Hex } from "./color";
import { fine, svg } from "./svg";

/** Offset from 0 to 1, color, and opacity (default 1). */
export type Stop = readonly [at: number, color: Hex, opacity?: number];

/** Offset and opacity. The theme sets the color of shadows. */
export type ShadowStop = readonly [at: number, opacity: number];

/** Collects the gradients and clip paths of a drawing. Each method returns a `url(#…)` reference. */
export interface Palette {
  /** Linear, in units of the sheet. */
  line(x1: number, y1: number, x2: number, y2: number, stops: readonly Stop[]): string;
  /** Linear, in fractions of the filled shape. */
  box(x1: number, y1: number, x2: number, y2: number, stops: readonly Stop[]): string;
  /** Radial, in units of the sheet, flattened by `flat`. */
  disc(cx: number, cy: number, r: number, stops: readonly Stop[], flat?: number): string;
  /** Radial, in fractions of the filled shape. */
  blob(stops: readonly Stop[]): string;
  /** Radial, in the shadow color of the theme. */
  shadow(cx: number, cy: number, r: number, flat: number, stops: readonly ShadowStop[]): string;
  clip(shape: string): string;
  /** All of them, for the `<defs>` of the drawing. */
  readonly defs: string;
}

const formatStops = (stops: readonly Stop[]): string =>
  stops
    .map(([at, color, opacity = 1]) => {
      const thin = opacity < 1 ? ` stop-opacity="${fine(opacity)}"` : "";
      return `<stop offset="${fine(at)}" stop-color="${color}"${thin}/>`;
    })
    .join("");

const formatShadowStops = (stops: readonly ShadowStop[]): string =>
  stops
    .map(
      ([at, opacity]) =>
        `<stop offset="${fine(at)}" style="stop-color:var(--art-shadow,#3B2213)" stop-opacity="${fine(opacity)}"/>`,
    )
    .join("");

const radial = (key: string, cx: number, cy: number, r: number, flat: number, stops: string) =>
  svg`<radialGradient id="${key}" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="1" gradientTransform="translate(${cx} ${cy}) scale(${r} ${r * flat})">${stops}</radialGradient>`;

/** An empty palette with ids that begin with `prefix`. */
export function palette(prefix: string): Palette {
  let defs = "";
  let count = 0;
  const add = (make: (key: string) => string): string => {
    const key = `${prefix}${(count++).toString(36)}`;
    defs += make(key);
    return `url(#${key})`;
  };
  return {
    line: (x1, y1, x2, y2, stops) =>
      add(
        (key) =>
          svg`<linearGradient id="${key}" gradientUnits="userSpaceOnUse" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}">${formatStops(stops)}</linearGradient>`,
      ),
    box: (x1, y1, x2, y2, stops) =>
      add(
        (key) =>
          `<linearGradient id="${key}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}">${formatStops(stops)}</linearGradient>`,
      ),
    disc: (cx, cy, r, stops, flat = 1) => add((key) => radial(key, cx, cy, r, flat, formatStops(stops))),
    blob: (stops) => add((key) => `<radialGradient id="${key}">${formatStops(stops)}</radialGradient>`),
    shadow: (cx, cy, r, flat, stops) => add((key) => radial(key, cx, cy, r, flat, formatShadowStops(stops))),
    clip: (shape) => add((key) => `<clipPath id="${key}">${shape}</clipPath>`),
    get defs() {
      return defs;
    },
  };
}
