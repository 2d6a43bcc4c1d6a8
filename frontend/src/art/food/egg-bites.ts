import type { Hex } from "../sheet/color";
import { foodShadow } from "../sheet/shapes";
import { clipped, ellipse, path, svg } from "../sheet/svg";
import { dough, type FoodDrawing, food, pore } from "./food";

interface Bite {
  x: number;
  /** Middle of the upper edge, and the foot. */
  y: number;
  yB: number;
  r: number;
}

const BITES: readonly Bite[] = [
  { x: 154, y: 206, yB: 254, r: 45 },
  { x: 84, y: 216, yB: 266, r: 49 },
];

const COLORS: Record<"bacon" | "veggie", readonly (readonly [Hex, Hex])[]> = {
  bacon: [
    ["#B4503A", "#7E2A1E"],
    ["#D98A62", "#9E4A30"],
    ["#9C3A2A", "#64201A"],
  ],
  veggie: [
    ["#6E9A3C", "#3F6422"],
    ["#D2493C", "#8E261E"],
    ["#86AE50", "#4A702A"],
  ],
};

/** A soft puck: rounded below, swollen above, with a browned skin. */
function bite(drawing: FoodDrawing, { x, y, yB, r }: Bite, colors: readonly (readonly [Hex, Hex])[]): string {
  const { g, random, small } = drawing;
  const foot = r * 0.84;
  const side = g.line(x - r, 0, x + r, 0, [
    [0, "#DDAE54"],
    [0.22, "#FFEFBC"],
    [0.52, "#F8DB92"],
    [0.84, "#D3A048"],
    [1, "#A87428"],
  ]);
  const body = svg`M${x - r} ${y}C${x - r + 1} ${y + 20} ${x - foot - 2} ${yB - 12} ${x - foot + 3} ${yB - 6}C${x - foot * 0.6} ${yB + 7} ${x + foot * 0.6} ${yB + 7} ${x + foot - 3} ${yB - 6}C${x + foot + 2} ${yB - 12} ${x + r - 1} ${y + 20} ${x + r} ${y}Z`;
  const dome = svg`M${x - r} ${y + 2}C${x - r} ${y - 18} ${x - r * 0.55} ${y - 25} ${x} ${y - 25}S${x + r} ${y - 18} ${x + r} ${y + 2}C${x + r * 0.9} ${y + 15} ${x + r * 0.4} ${y + 18} ${x} ${y + 18}S${x - r * 0.9} ${y + 15} ${x - r} ${y + 2}Z`;
  const skin = g.disc(
    x - r * 0.3,
    y - 14,
    r * 1.35,
    [
      [0, "#FFF7D6"],
      [0.4, "#FCE3A0"],
      [0.75, "#E9B95C"],
      [1, "#B97E2C"],
    ],
    0.5,
  );
  let browned = "";
  for (let i = 0; i < 12; i++) {
    const angle = random() * 6.28;
    const distance = 0.35 + random() * 0.6;
    browned += pore(
      x + Math.cos(angle) * distance * r,
      y - 4 + Math.sin(angle) * distance * 19,
      5 + random() * 9,
      2 + random() * 3,
      "#B87A2A",
      0.16 + random() * 0.2,
    );
  }
  let bits = "";
  for (let i = 0; i < (small ? 7 : 12); i++) {
    const angle = i * 2.4;
    const distance = Math.sqrt((i + 0.5) / 12) * 0.76;
    const [px, py] = [x + Math.cos(angle) * distance * r, y - 6 + Math.sin(angle) * distance * 17];
    const [color, deep] = colors[i % colors.length] ?? ["#B4503A", "#7E2A1E"];
    const bit = dough(px, py, 4 + random() * 2.6, 2.6 + random() * 1.6, 0.7, 7, random);
    bits += path(bit, `fill="${deep}" transform="translate(.5 1.3)"`) + path(bit, `fill="${color}"`);
  }
  let pores = "";
  for (let i = 0; i < (small ? 0 : 10); i++) {
    pores += pore(
      x + (random() * 1.5 - 0.75) * r,
      y + 20 + random() * (yB - y - 22),
      1.6 + random() * 2,
      1,
      "#B98A3A",
      0.4,
    );
  }
  return [
    path(body, `fill="${side}"`),
    clipped(g.clip(path(body)), pores),
    path(dome, `fill="${skin}"`),
    clipped(g.clip(path(dome)), browned + bits),
    path(
      svg`M${x - r * 0.72} ${y - 8}C${x - r * 0.5} ${y - 19} ${x - r * 0.2} ${y - 21} ${x + r * 0.1} ${y - 21}`,
      'fill="none" stroke="#fff" stroke-opacity=".75" stroke-width="3.4" stroke-linecap="round"',
    ),
  ].join("");
}

/** Two egg bites. */
export const eggBites = food(["bacon", "veggie"], (drawing, variant) => {
  const pair = BITES.map(
    (one) =>
      ellipse(one.x + 4, one.yB - 1, one.r * 0.9, 9, 'fill="#3B2213" fill-opacity=".22"') +
      bite(drawing, one, COLORS[variant]),
  );
  return foodShadow(drawing.g, 80, 8) + pair.join("");
});
