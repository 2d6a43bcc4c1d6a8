import type { LatteArt } from "../drink";
import type { Hex } from "../sheet/color";
import { fine } from "../sheet/svg";

const HEART =
  '<path d="M0 .8C-.14 .62-.72 .3-.7-.2-.68-.62-.2-.74 0-.34 .2-.74 .68-.62 .7-.2 .72 .3 .14 .62 0 .8Z"/>';

const TULIP =
  '<path d="M0-.74C.16-.66 .26-.5 .2-.38 .13-.27-.13-.27-.2-.38-.26-.5-.16-.66 0-.74Z"/><path d="M-.36-.3C-.2-.12 .2-.12 .36-.3 .5-.16 .44 .06 .26 .1 .1 .13-.1 .13-.26 .1-.44 .06-.5-.16-.36-.3Z"/><path d="M-.52 .0C-.3 .26 .3 .26 .52 0 .68 .22 .4 .52 0 .76-.4 .52-.68 .22-.52 0Z"/>';

/** Ripples of a rosetta from its tip to its base: height of the middle, half width, thickness. */
const RIPPLES = [
  { y: -0.42, wide: 0.27, thick: 0.13 },
  { y: -0.19, wide: 0.43, thick: 0.145 },
  { y: 0.05, wide: 0.55, thick: 0.155 },
  { y: 0.3, wide: 0.58, thick: 0.165 },
  { y: 0.55, wide: 0.47, thick: 0.17 },
] as const;

/** A rosetta: rounded ripples with a heart at the end and a thin line through the middle. */
function rosetta(skin: Hex): string {
  const ripples = RIPPLES.map(({ y, wide, thick }) => {
    const [w, tip] = [fine(wide), fine(y - wide * 0.46)];
    const [bow, low, middle] = [fine(wide * 0.62), fine(y + 0.05), fine(y + 0.1)];
    return `<path d="M-${w} ${tip}C-${w} ${low} -${bow} ${low} 0 ${middle}C${bow} ${low} ${w} ${low} ${w} ${tip}" stroke-width="${thick}"/>`;
  }).join("");
  const heart =
    '<path d="M0-.46C-.08-.58-.33-.66-.32-.86-.31-1.02-.08-1.04 0-.88 .08-1.04 .31-1.02 .32-.86 .33-.66 .08-.58 0-.46Z" stroke="none"/>';
  const foot =
    '<path d="M-.24 .74C-.12 .84 .12 .84 .24 .74C.2 .88 .08 .93 0 .98-.08 .93-.2 .88-.24 .74Z" stroke="none"/>';
  const cut = `<path d="M0-.8L0 .99" stroke="${skin}" stroke-width=".032"/>`;
  return `<g transform="rotate(-58)"><g fill="none" stroke="currentColor" stroke-linecap="round">${ripples}${cut}</g>${heart}${foot}</g>`;
}

/** Latte art on a unit disc. The caller adds the perspective; `skin` is the color of the crema. */
export function latteArt(kind: Exclude<LatteArt, "none">, skin: Hex): string {
  if (kind === "heart") return HEART;
  if (kind === "tulip") return TULIP;
  return rosetta(skin);
}
