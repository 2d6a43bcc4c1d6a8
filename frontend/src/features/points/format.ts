/** "1 point", "480 points"; signed: "+10 points", "−5 points". */
export function formatPoints(points: number, { signed = false } = {}): string {
  const sign = points < 0 ? "−" : signed ? "+" : "";
  const count = Math.abs(points);
  return `${sign}${count} ${count === 1 ? "point" : "points"}`;
}
