import { type Hex, mix } from "../sheet/color";
import type { Stop } from "../sheet/palette";
import { type Point, thread } from "../sheet/shapes";
import { BASE, CX, clipped, ellipse, fine, path } from "../sheet/svg";
import { crumb, type FoodDrawing, flake, food } from "./food";

// Seven segments along a wide arc. Each is covered by the next one toward the middle.
const R = 118;
const CY = 226 + R;
const REACH = 0.86;
const SEGMENTS = [0.1, 0.13, 0.165, 0.21, 0.165, 0.13, 0.1] as const;
/** The outer segments are drawn first. */
const ORDER = [0, 6, 1, 5, 2, 4, 3] as const;

const onArc = (angle: number, r: number): Point => [CX + Math.sin(angle) * r, CY - Math.cos(angle) * r];

/** Half of the thickness at an angle. */
const half = (angle: number) => 7 + 40 * Math.cos(Math.min(1, Math.abs(angle / REACH)) * 1.45) ** 0.85;

const between = (a0: number, a1: number, u: number) => a0 + (a1 - a0) * u;

const BESIDE_LEFT: readonly Stop[] = [
  [0, "#6A3610", 0.06],
  [0.2, "#6A3610", 0],
  [0.62, "#6A3610", 0.06],
  [0.88, "#5E2E0C", 0.5],
  [1, "#5E2E0C", 0.6],
];
const BESIDE_RIGHT: readonly Stop[] = [
  [0, "#5E2E0C", 0.62],
  [0.14, "#5E2E0C", 0.5],
  [0.4, "#6A3610", 0.06],
  [0.84, "#6A3610", 0.04],
  [1, "#6A3610", 0.3],
];
const MIDDLE: readonly Stop[] = [
  [0, "#6A3610", 0.1],
  [0.14, "#6A3610", 0],
  [0.72, "#6A3610", 0],
  [1, "#6A3610", 0.34],
];

/** The shadow of the neighboring segment on segment `i`. */
const createShade = (i: number): readonly Stop[] => {
  if (i === 3) return MIDDLE;
  return i < 3 ? BESIDE_LEFT : BESIDE_RIGHT;
};

function segmentOutline(a0: number, a1: number, i: number): string {
  const outer: Point[] = [];
  const inner: Point[] = [];
  for (let s = 0; s <= 8; s++) {
    const u = s / 8;
    const angle = between(a0, a1, u);
    const bulge = Math.sin(Math.PI * u) ** 0.8;
    // Segments lean: the upper edge is ahead of the lower one.
    const lean = (i - 3) * 0.018;
    outer.push(onArc(angle + lean, R + half(angle) * (0.84 + 0.18 * bulge)));
    inner.unshift(
      onArc(angle - lean * 1.6, R - half(angle) * (0.76 + 0.12 * bulge) + 3 * (angle / REACH) ** 2),
    );
  }
  return `${thread(outer)}L${thread(inner).slice(1)}Z`;
}

function segment({ g }: FoodDrawing, i: number): string {
  const before = SEGMENTS.slice(0, i).reduce((sum, part) => sum + part, 0);
  const part = SEGMENTS[i] ?? 0;
  const a0 = -REACH + 2 * REACH * before - (i > 0 ? 0.035 : 0);
  const a1 = -REACH + 2 * REACH * (before + part) + (i < 6 ? 0.035 : 0);
  const shape = segmentOutline(a0, a1, i);
  const middle = (a0 + a1) / 2;
  const lit = 0.5 + 0.5 * Math.cos(middle + 0.55);
  const crust = g.line(...onArc(middle, R + half(middle)), ...onArc(middle, R - half(middle) * 0.9), [
    [0, mix("#A8642A", "#D99A4B", lit)],
    [0.16, mix("#CC8236", "#FADB9E", lit)],
    [0.4, mix("#BC7630", "#E6A852", lit)],
    [0.7, "#B06A27"],
    [1, "#74400F"],
  ]);
  const shade = g.line(...onArc(a0, R), ...onArc(a1, R), createShade(i));
  const along = (r: number, swell: number) =>
    Array.from({ length: 7 }, (_, s): Point => {
      const u = 0.1 + (0.8 * s) / 6;
      const angle = between(a0, a1, u);
      return onArc(angle, R + half(angle) * (r + swell * Math.sin(Math.PI * u)));
    });
  const layers = [0.86, 0.3, 0.02, -0.28, -0.56]
    .map((r) => `<path d="${thread(along(r, 0.1))}" stroke="#7A3F12" stroke-opacity=".16" stroke-width="1"/>`)
    .join("");
  const shine = `<path d="${thread(along(0.56, 0.17))}L${thread(along(0.56, 0.04).reverse()).slice(1)}Z" fill="#FFF3D4" fill-opacity="${fine(0.1 + 0.75 * lit ** 2)}"/>`;
  const lines = `<g fill="none" stroke-linecap="round" stroke-linejoin="round">${layers}${shine}</g>`;
  return (
    path(shape, `fill="${crust}"`) + clipped(g.clip(path(shape)), path(shape, `fill="${shade}"`) + lines)
  );
}

function shadow({ g }: FoodDrawing): string {
  const wide = g.shadow(CX + 10, BASE - 6, 114, 0.097, [
    [0, 0.34],
    [0.7, 0.2],
    [1, 0],
  ]);
  const core = g.shadow(CX + 2, BASE - 8, 92, 0.1, [
    [0, 0.6],
    [0.75, 0.44],
    [1, 0],
  ]);
  return (
    ellipse(CX + 10, BASE - 6, 114, 11, `fill="${wide}"`) + ellipse(CX + 2, BASE - 8, 92, 9, `fill="${core}"`)
  );
}

/** Chocolate stripes. */
function stripes(color: Hex): string {
  const swing = Array.from({ length: 15 }, (_, i): Point => {
    const angle = -0.62 + (1.24 * i) / 14;
    return onArc(angle, R + half(angle) * (i % 2 === 0 ? 0.86 : 0.12));
  });
  return path(
    thread(swing),
    `fill="none" stroke="${color}" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round"`,
  );
}

/** Almond flakes and sugar, lying on the back. */
function almonds({ random }: FoodDrawing): string {
  let out = "";
  for (let i = 0; i < 26; i++) {
    const angle = -0.56 + random() * 1.12;
    const [x, y] = onArc(angle, R + half(angle) * (0.1 + random() * 0.8));
    const rest = `fill="#F8E6C2" stroke="#A8743A" stroke-opacity=".5" stroke-width=".7" transform="rotate(${Math.round(random() * 180)} ${fine(x)} ${fine(y)})"`;
    out += ellipse(x, y, 5.4, 3, rest);
  }
  for (let i = 0; i < 60; i++) {
    const angle = -0.66 + random() * 1.32;
    const [x, y] = onArc(angle, R + half(angle) * random());
    out += flake(x, y, 1.3, 1.1, "#FFFDF6", Math.round(random() * 90), ' fill-opacity=".85"');
  }
  return out;
}

/** Ham and cheese, visible below the middle segments. */
const FILLING =
  '<path d="M84 262C96 256 144 256 156 262C160 268 150 271 140 268C130 273 112 273 102 268C92 271 80 268 84 262Z" fill="#E39786"/><path d="M92 258L148 258C152 262 144 266 138 264C130 269 112 269 104 264C98 266 88 262 92 258Z" fill="#F6C455"/>';

export const croissant = food(["butter", "chocolate", "almond", "ham"], (drawing, variant) => {
  const { random } = drawing;
  let out = shadow(drawing);
  if (variant === "ham") out += FILLING;
  for (const i of ORDER) out += segment(drawing, i);
  if (variant === "chocolate") out += stripes("#3E1F13");
  if (variant === "almond") out += almonds(drawing);
  for (let i = 0; i < 7; i++) {
    out += crumb(CX - 76 + random() * 170, BASE - 1 - random() * 5, 0.9 + random() * 1.2, "#C98A42", 0.9);
  }
  return out;
});
