/** Horizontal middle of the 240 x 300 sheet. */
export const CX = 120;
/** The y coordinate of the counter. */
export const BASE = 276;
/** The camera is slightly above the rim: circles become ellipses with this ratio. */
export const K = 0.25;

const tenth = (n: number): string => String(Math.round(n * 10) / 10);

/** Formats a number with three decimals, for opacities and offsets. */
export const fine = (n: number): string => String(Math.round(n * 1000) / 1000);

/** A template tag for SVG text. Formats numbers with one decimal, which is below one pixel at all sizes. */
export function svg(strings: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return strings.reduce((text, part, i) => {
    const value = values[i - 1] ?? "";
    return text + (typeof value === "number" ? tenth(value) : value) + part;
  });
}

/** An ellipse; `rest` contains more attributes. */
export const ellipse = (cx: number, cy: number, rx: number, ry: number, rest = ""): string =>
  svg`<ellipse cx="${cx}" cy="${cy}" rx="${rx}" ry="${ry}" ${rest}/>`;

/** A path; `rest` contains more attributes. */
export const path = (data: string, rest = ""): string => `<path d="${data}" ${rest}/>`;

/** Clips `inner` with a clip path of the palette. */
export const clipped = (clip: string, inner: string): string => `<g clip-path="${clip}">${inner}</g>`;

/** The common options of drawings. */
export interface SheetOptions {
  /**
   * Prefix of the ids in the drawing, which must be unique on a page. By default it is derived from the parameters.
   */
  id?: string | undefined;
  /** A viewBox that crops the sheet. */
  box?: string | undefined;
  /** The accessible description. Without it the drawing is hidden from screen readers. */
  title?: string | undefined;
}

const escapeAttribute = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Wraps the drawing in an `svg` element. */
export function sheet(body: string, defs: string, { box, title }: SheetOptions): string {
  const access = title ? `role="img" aria-label="${escapeAttribute(title)}"` : 'aria-hidden="true"';
  return `<svg class="art" viewBox="${box ?? "0 0 240 300"}" xmlns="http://www.w3.org/2000/svg" ${access}><defs>${defs}</defs>${body}</svg>`;
}
