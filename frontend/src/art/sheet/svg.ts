/** Horizontal middle of the 240 x 300 sheet. */
export const CX = 120;
/** Height of the counter on which everything stands. */
export const BASE = 276;
/** The camera looks a little down on the rim: a circle becomes an ellipse of this ratio. */
export const K = 0.25;

const tenth = (n: number): string => String(Math.round(n * 10) / 10);

/** A number that needs three decimals (opacities, offsets of stops). */
export const fine = (n: number): string => String(Math.round(n * 1000) / 1000);

/** SVG text in which every number is written with one decimal: a tenth of a unit is below a pixel at any size we draw. */
export function svg(strings: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return strings.reduce((text, part, i) => {
    const value = values[i - 1] ?? "";
    return text + (typeof value === "number" ? tenth(value) : value) + part;
  });
}

/** An ellipse; `rest` is the text of its further attributes. */
export const ellipse = (cx: number, cy: number, rx: number, ry: number, rest = ""): string =>
  svg`<ellipse cx="${cx}" cy="${cy}" rx="${rx}" ry="${ry}" ${rest}/>`;

/** A path; `rest` is the text of its further attributes. */
export const path = (data: string, rest = ""): string => `<path d="${data}" ${rest}/>`;

/** `inner`, seen only inside a clip made by the palette. */
export const clipped = (clip: string, inner: string): string => `<g clip-path="${clip}">${inner}</g>`;

/** What both kinds of drawing accept besides their subject. */
export interface SheetOptions {
  /**
   * Prefix of the ids inside the drawing. Drawings on one page need different ones; without it the
   * prefix follows from the parameters, so that the same drink is the same string.
   */
  id?: string | undefined;
  /** A viewBox that crops the sheet. */
  box?: string | undefined;
  /** The spoken description; without it the picture is decoration and hidden from screen readers. */
  title?: string | undefined;
}

const escapeAttribute = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** The finished drawing. */
export function sheet(body: string, defs: string, { box, title }: SheetOptions): string {
  const access = title ? `role="img" aria-label="${escapeAttribute(title)}"` : 'aria-hidden="true"';
  return `<svg class="art" viewBox="${box ?? "0 0 240 300"}" xmlns="http://www.w3.org/2000/svg" ${access}><defs>${defs}</defs>${body}</svg>`;
}
