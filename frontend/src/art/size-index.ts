/** Size indexes from the smallest cup. */
const SIZES: Readonly<Record<string, number>> = {
  demitasse: 0,
  small: 0,
  medium: 1,
  large: 2,
  "extra large": 3,
};

/** Returns `sizeFrom` of an item's `art`: 1 if the smallest size of the item is a medium. */
export function parseSizeFrom(art: unknown): number {
  const sizeFrom = typeof art === "object" && art !== null && "sizeFrom" in art ? art.sizeFrom : 0;
  return typeof sizeFrom === "number" && Number.isFinite(sizeFrom)
    ? Math.max(0, Math.min(3, Math.round(sizeFrom)))
    : 0;
}

/**
 * Returns the index of an ordered size in the sizes of the item, from the name of the size. Separate from the drawings,
 * so that screens can use it before those are loaded.
 */
export function getSizeIndex(art: unknown, sizeName: string): number {
  const from = parseSizeFrom(art);
  return Math.max(0, (SIZES[sizeName.toLowerCase()] ?? from) - from);
}

/** The part of an ordered line that its drawing needs. */
interface DrawnLine {
  art: unknown;
  sizeName: string;
  choices: readonly { artKey: string; quantity: number }[];
}

/** Returns the size and the choices of an ordered line for its drawing. */
export function getArtSelection({ art, sizeName, choices }: DrawnLine) {
  return { sizeIndex: getSizeIndex(art, sizeName), choices };
}
