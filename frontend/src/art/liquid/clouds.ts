import type { Drawing } from "../drink";
import { blend, luma } from "../sheet/color";
import { CX, ellipse, fine, path, svg } from "../sheet/svg";
import type { Glass } from "./glass";
import { descending, type PouredLayer } from "./layers";

/** Clouds where one liquid sinks into the next. Radial gradients, because a blur filter is expensive on every frame. */
export function clouds(drawing: Drawing, glass: Glass): string {
  const { layers, scatter } = drawing;
  const random = scatter("clouds");
  const height = glass.yFloor - glass.yFull;
  let y = glass.yFull;
  let out = "";
  for (const { layer, below } of descending(layers)) {
    y += layer.part * height;
    if (below && layer.edge === "swirl") out += cloud(drawing, glass, layer, below, y, random);
  }
  return out;
}

function cloud(
  { g }: Drawing,
  { rIn, yFloor, yFull }: Glass,
  layer: PouredLayer,
  below: PouredLayer,
  y: number,
  random: () => number,
): string {
  const height = yFloor - yFull;
  const ink = luma(layer.color) < luma(below.color) ? blend(below.color, layer.tint, 0.72) : layer.color;
  const sinking = g.blob([
    [0, ink, 0.8],
    [0.5, ink, 0.42],
    [1, ink, 0],
  ]);
  const rising = g.blob([
    [0, below.color, 0.75],
    [0.5, below.color, 0.34],
    [1, below.color, 0],
  ]);
  let out = "";
  for (let i = 0; i < 6; i++) {
    const across = (i + 0.5 + (random() - 0.5) * 0.7) / 6;
    const x = CX + (across - 0.5) * 2 * rIn(y) * 0.92;
    const long = below.part * height * (0.26 + random() * 0.44);
    const wide = 7 + random() * 8;
    const lean = (random() - 0.5) * 26;
    out += ellipse(
      x,
      y + long * 0.34,
      wide,
      long * 0.62,
      svg`fill="${sinking}" transform="rotate(${lean} ${x} ${y})"`,
    );
  }
  for (let i = 0; i < 4; i++) {
    const x = CX + (random() - 0.5) * 1.7 * rIn(y);
    const top = y - height * 0.05 - random() * 8;
    out += ellipse(x, top, 10 + random() * 12, 12 + random() * 14, `fill="${rising}"`);
  }
  return out;
}

/** Light through clear liquids at the sides and the bottom. */
export function glow({ g, layers }: Drawing, { yFull, yFloor, rIn }: Glass, body: string): string {
  const largest = layers.reduce((best, layer) => (layer.part > best.part ? layer : best));
  const light = largest.glow;
  if (!light) return "";
  const r = rIn(yFull);
  const sides = g.line(CX - r, 0, CX + r, 0, [
    [0, light, 0.75],
    [0.12, light, 0.28],
    [0.26, light, 0],
    [0.7, light, 0],
    [0.9, light, 0.3],
    [1, light, 0.7],
  ]);
  const rFoot = rIn(yFloor) * 1.05;
  const foot = g.disc(
    CX - 4,
    yFloor + 6,
    rFoot,
    [
      [0, light, 0.65],
      [0.6, light, 0.26],
      [1, light, 0],
    ],
    0.55,
  );
  return (
    path(body, `fill="${sides}"`) + ellipse(CX - 4, yFloor + 6, rFoot, rIn(yFloor) * 0.58, `fill="${foot}"`)
  );
}

/** Crushed ice: pale and dark specks in the whole drink. */
export function slush({ scatter, p }: Drawing, { yLevel, yFloor, rIn }: Glass): string {
  const random = scatter("slush");
  const count = p.detail === "small" ? 18 : 46;
  let out = "";
  for (let i = 0; i < count; i++) {
    const y = yLevel + 8 + random() * (yFloor - yLevel);
    const x = CX + (random() * 2 - 1) * rIn(y) * 0.94;
    const color = random() > 0.4 ? "#fff" : "#5A2F14";
    const opacity = fine(0.16 + random() * 0.22);
    out += ellipse(x, y, 0.7 + random() * 1.5, 0.6 + random(), `fill="${color}" fill-opacity="${opacity}"`);
  }
  return out;
}
