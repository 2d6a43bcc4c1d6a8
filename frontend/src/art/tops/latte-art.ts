import type { LatteArt } from "../drink";
import type { Hex } from "../sheet/color";
import { fine } from "../sheet/svg";

const HEART =
  '<path d="M0 .8C-.14 .62-.72 .3-.7-.2-.68-.62-.2-.74 0-.34 .2-.74 .68-.62 .7-.2 .72 .3 .14 .62 0 .8Z"/>';

const TULIP =
  '<path d="M0-.74C.16-.66 .26-.5 .2-.38 .13-.27-.13-.27-.2-.38-.26-.5-.16-.66 0-.74Z"/><path d="M-.36-.3C-.2-.12 .2-.12 .36-.3 .5-.16 .44 .06 .26 .1 .1 .13-.1 .13-.26 .1-.44 .06-.5-.16-.36-.3Z"/><path d="M-.52 .0C-.3 .26 .3 .26 .52 0 .68 .22 .4 .52 0 .76-.4 .52-.68 .22-.52 0Z"/>';

/** Ripples of a rosetta from its tip to its base: height of the middle and half width. */
const RIPPLES = [
  { y: -0.4, wide: 0.34 },
  { y: -0.2, wide: 0.5 },
  { y: 0.0, wide: 0.62 },
  { y: 0.2, wide: 0.68 },
  { y: 0.4, wide: 0.66 },
  { y: 0.6, wide: 0.54 },
] as const;

/** A ripple: a crescent with ends that taper and curl toward the tip. */
function ripple({ y, wide }: (typeof RIPPLES)[number]): string {
  const [w, tip, low, inner] = [wide, y - wide * 0.52, y + 0.13, y - 0.015].map(fine);
  const [outer, bow] = [fine(wide * 1.06), fine(wide * 0.6)];
  return `<path d="M-${w} ${tip}C-${outer} ${y} -${bow} ${low} 0 ${low}C${bow} ${low} ${outer} ${y} ${w} ${tip}C${bow} ${inner} ${fine(wide * 0.34)} ${inner} 0 ${inner}C-${fine(wide * 0.34)} ${inner} -${bow} ${inner} -${w} ${tip}Z"/>`;
}

/** A rosetta: nested ripples that a thin line draws together, with a heart where the pour ended. */
function rosetta(skin: Hex): string {
  const heart =
    '<path d="M0-.4C-.12-.56-.42-.62-.4-.86-.38-1.04-.1-1.04 0-.88 .1-1.04 .38-1.04 .4-.86 .42-.62 .12-.56 0-.4Z"/>';
  const foot = '<path d="M-.34 .72C-.16 .86 .16 .86 .34 .72C.26 .88 .1 .96 0 1-.1 .96-.26 .88-.34 .72Z"/>';
  const cut = `<path d="M0-.52L0 1" stroke="${skin}" stroke-width=".045" stroke-linecap="round"/>`;
  return `<g transform="rotate(-64)">${RIPPLES.map(ripple).join("")}${heart}${foot}${cut}</g>`;
}

/** Latte art on a unit disc. The caller adds the perspective; `skin` is the color of the crema. */
export function latteArt(kind: Exclude<LatteArt, "none">, skin: Hex): string {
  if (kind === "heart") return HEART;
  if (kind === "tulip") return TULIP;
  return rosetta(skin);
}
