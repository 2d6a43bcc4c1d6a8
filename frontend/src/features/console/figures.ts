/** Formats the figures of the day. */

/** Formats "6 min", or a dash without a value. */
export const formatWait = (seconds: number | null): string =>
  seconds === null ? "–" : `${Math.max(1, Math.round(seconds / 60))} min`;

/** Formats "4.8", or a dash without a value. */
export const formatRating = (tenths: number | null): string =>
  tenths === null ? "–" : `${Math.floor(tenths / 10)}.${tenths % 10}`;
