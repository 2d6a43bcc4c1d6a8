import type { LatteArt } from "../drink";
import type { Hex } from "../sheet/color";
import { fine } from "../sheet/svg";

const HEART =
  '<path d="M0 .8C-.14 .62-.72 .3-.7-.2-.68-.62-.2-.74 0-.34 .2-.74 .68-.62 .7-.2 .72 .3 .14 .62 0 .8Z"/>';

const TULIP =
  '<path d="M0-.74C.16-.66 .26-.5 .2-.38 .13-.27-.13-.27-.2-.38-.26-.5-.16-.66 0-.74Z"/><path d="M-.36-.3C-.2-.12 .2-.12 .36-.3 .5-.16 .44 .06 .26 .1 .1 .13-.1 .13-.26 .1-.44 .06-.5-.16-.36-.3Z"/><path d="M-.52 .0C-.3 .26 .3 .26 .52 0 .68 .22 .4 .52 0 .76-.4 .52-.68 .22-.52 0Z"/>';

/** Ripples of a rosetta from its tip to its base: height of the middle, half width, thickness. */
const RIPPLES = [
  { y: -0.5, wide: 0.3, thick: 0.11 },
  { y: -0.27, wide: 0.46, thick: 0.13 },
  { y: -0.03, wide: 0.58, thick: 0.14 },
  { y: 0.22, wide: 0.64, thick: 0.15 },
  { y: 0.48, wide: 0.58, thick: 0.17 },
] as const;

/**
 * A rosetta as it is poured: the jug swings while it draws back, so the foam lies in ripples that open
 * away from the drinker, is capped by a small heart and cut through by one thin line.
 */
function rosetta(skin: Hex): string {
  const ripples = RIPPLES.map(({ y, wide, thick }) => {
    const n = (value: number) => fine(value);
    const tip = y - 0.24 * wide - 0.1;
    // the outer line sags to the middle, where the cut pulls it down; the inner one runs beside it
    return `<path d="M${n(-wide)} ${n(tip)}C${n(-wide * 1.02)} ${n(y + 0.02)} ${n(-wide * 0.34)} ${n(y + thick)} 0 ${n(y + thick + 0.06)}C${n(wide * 0.34)} ${n(y + thick)} ${n(wide * 1.02)} ${n(y + 0.02)} ${n(wide)} ${n(tip)}C${n(wide * 0.86)} ${n(y - 0.1)} ${n(wide * 0.4)} ${n(y - 0.03)} 0 ${n(y + 0.02)}C${n(-wide * 0.4)} ${n(y - 0.03)} ${n(-wide * 0.86)} ${n(y - 0.1)} ${n(-wide)} ${n(tip)}Z"/>`;
  }).join("");
  const heart =
    '<path d="M0-.56C-.06-.64-.27-.72-.26-.88-.25-1-.07-1.02 0-.91 .07-1.02 .25-1 .26-.88 .27-.72 .06-.64 0-.56Z"/>';
  const foot = '<path d="M-.34 .62C-.2 .74 .2 .74 .34 .62 .28 .82 .1 .9 0 .98-.1 .9-.28 .82-.34 .62Z"/>';
  const cut = `<path d="M0-.96L0 .99" fill="none" stroke="${skin}" stroke-width=".035" stroke-linecap="round"/>`;
  return `<g transform="rotate(-24)">${ripples}${heart}${foot}${cut}</g>`;
}

/** Latte art on a unit disc, laid into perspective by the caller; `skin` is the crema that it is drawn in. */
export function latteArt(kind: Exclude<LatteArt, "none">, skin: Hex): string {
  if (kind === "heart") return HEART;
  if (kind === "tulip") return TULIP;
  return rosetta(skin);
}
