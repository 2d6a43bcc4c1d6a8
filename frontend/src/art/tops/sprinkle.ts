import type { Hex } from "../sheet/color";
import type { Random } from "../sheet/random";
import { ellipse, fine, svg } from "../sheet/svg";

interface Grain {
  colors: readonly [Hex, Hex];
  /** Half of a grain's length, in units of the sheet. */
  size: number;
  /** Broken pieces have corners; powder is round. */
  broken?: true;
}

const GRAINS = {
  cinnamon: { colors: ["#9A531F", "#7A3E18"], size: 0.85 },
  cocoa: { colors: ["#6B3A20", "#54290F"], size: 0.85 },
  nutmeg: { colors: ["#8A5A2B", "#6B421C"], size: 0.8 },
  matcha: { colors: ["#6E9033", "#55781F"], size: 0.85 },
  crunch: { colors: ["#C98A3C", "#A7671F"], size: 2, broken: true },
  chips: { colors: ["#3C1D12", "#57301F"], size: 2.6, broken: true },
  seasalt: { colors: ["#FFFFFF", "#EFE4D3"], size: 1.3, broken: true },
  berries: { colors: ["#C03A4B", "#8E2236"], size: 3 },
} as const satisfies Record<string, Grain>;

export type Topping = keyof typeof GRAINS;

export const TOPPINGS = Object.keys(GRAINS) as Topping[];

/** Scatters `kind` over an ellipse, denser in the middle. Powder has more grains than `count`, pieces have fewer. */
export function sprinkle(
  kind: Topping,
  cx: number,
  cy: number,
  rx: number,
  ry: number,
  random: Random,
  count: number,
): string {
  const { colors, size, broken }: Grain = GRAINS[kind];
  const total = Math.round(size > 1.2 ? count / 3 : count * 2.2);
  let out = "";
  for (let i = 0; i < total; i++) {
    const angle = random() * 6.283;
    const distance = random() ** 0.62;
    const x = cx + Math.cos(angle) * distance * rx;
    const y = cy + Math.sin(angle) * distance * ry;
    const s = size * (0.45 + random() * 0.75);
    const color = colors[i % 2 === 0 ? 0 : 1];
    out += broken
      ? svg`<rect x="${x}" y="${y}" width="${s * 2}" height="${s * 1.25}" rx=".5" fill="${color}" transform="rotate(${Math.round(random() * 180)} ${x} ${y})"/>`
      : ellipse(x, y, s, s * 0.72, `fill="${color}" fill-opacity="${fine(0.55 + random() * 0.4)}"`);
  }
  return out;
}
