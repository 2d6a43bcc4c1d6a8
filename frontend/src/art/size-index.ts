/** The places of the menu's sizes from the smallest cup. */
const SIZES: Readonly<Record<string, number>> = {
  demitasse: 0,
  small: 0,
  medium: 1,
  large: 2,
  "extra large": 3,
};

/** The `sizeFrom` of an item's `art`: 1 where the smallest size on the menu is a medium. */
export function sizeFromOf(art: unknown): number {
  const said = typeof art === "object" && art !== null && "sizeFrom" in art ? art.sizeFrom : 0;
  return typeof said === "number" && Number.isFinite(said) ? Math.max(0, Math.min(3, Math.round(said))) : 0;
}

/**
 * Which size an ordered line was, for its drawing: an order has the size's name, a drawing goes by its place in the
 * item's own list, which may start above the smallest cup (`sizeFrom`). Apart from the drawings, so that a screen can
 * say what to draw before they are loaded.
 */
export function sizeIndexOf(art: unknown, sizeName: string): number {
  const from = sizeFromOf(art);
  return Math.max(0, (SIZES[sizeName.toLowerCase()] ?? from) - from);
}
