import type { Drawing, DrinkParams } from "../drink";
import { pour } from "../liquid/layers";
import { darker, type Hex, lighter } from "../sheet/color";
import { CX, K, svg } from "../sheet/svg";
import { clearVessel } from "../vessels/clear";
import { berry, type FoodDrawing, flake, food, strawberry } from "./food";

const SHAPE = { yT: 142, rT: 58, yB: 258, rB: 40, wall: 2.8, brim: 0.14, floor: 6 };
const YOGURT: Hex = "#FBF4E8";
const Y0 = SHAPE.yT + (SHAPE.yB - SHAPE.yT) * SHAPE.brim;
const Y1 = SHAPE.yB - SHAPE.floor;

/** Layers from the top with their start and end as shares of the height; fruit purée if `fruit` is set. */
const BANDS = [
  { from: 0, to: 0.37, fruit: false },
  { from: 0.37, to: 0.5, fruit: true },
  { from: 0.5, to: 0.8, fruit: false },
  { from: 0.8, to: 1, fruit: true },
] as const;

const PUREES = {
  berry: "#AE3E59",
  mango: "#EFA93A",
} as const;

/** A layer with an uneven, curved edge. */
function band(
  { g, random }: FoodDrawing,
  rIn: (y: number) => number,
  { from, to }: (typeof BANDS)[number],
  color: Hex,
): string {
  const ya = Y0 + (Y1 - Y0) * from;
  const yb = Y0 + (Y1 - Y0) * to;
  const [ra, rb] = [rIn(ya), rIn(yb)];
  let hem = svg`L${CX + rb} ${yb}`;
  for (let i = 1; i <= 8; i++) {
    const u = 1 - i / 4;
    const uneven = to < 1 && i < 8 ? (random() - 0.5) * 6 : 0;
    const y = yb + Math.sqrt(Math.max(0, 1 - u * u)) * rb * K + uneven;
    hem += svg`S${CX + (u + 0.12) * rb} ${y} ${CX + u * rb} ${y}`;
  }
  const paint = g.line(0, ya, 0, yb + rb * K, [
    [0, lighter(color, 0.16)],
    [1, darker(color, color === YOGURT ? 0.04 : 0.16)],
  ]);
  return svg`<path d="M${CX - ra} ${ya}A${ra} ${ra * K} 0 0 0 ${CX + ra} ${ya}${hem}Z" fill="${paint}"/>`;
}

const OATS: readonly Hex[] = ["#D9A55E", "#B9783A", "#E8C385", "#9A5F2B"];

/** Granola, drawn from back to front. */
function granola({ random, small }: FoodDrawing, y: number, r: number): string {
  const pieces = Array.from({ length: small ? 40 : 74 }, () => {
    const angle = random() * 6.283;
    const distance = Math.sqrt(random());
    const px = CX + Math.cos(angle) * distance * (r - 6);
    const py = y - 3 + Math.sin(angle) * distance * r * K - (1 - distance) * 16;
    const color = OATS[Math.floor(random() * 4)] ?? "#D9A55E";
    const rest = ' stroke="#6E431C" stroke-opacity=".3" stroke-width=".7"';
    const rotation = Math.round(random() * 180);
    return { py, text: flake(px - 4, py - 3, 6 + random() * 5, 4 + random() * 3, color, rotation, rest) };
  });
  return pieces
    .sort((a, b) => a.py - b.py)
    .map(({ text }) => text)
    .join("");
}

/** The tumbler of the drinks, filled with yogurt. */
function createGlass({ g }: FoodDrawing) {
  const p: DrinkParams = { vessel: "glass", layers: [] };
  const drawing: Drawing = {
    g,
    p: { ...p, size: 1, ice: "none", lid: "none", fill: 1, detail: "small" },
    layers: pour([{ of: "skim", part: 1 }]),
    scatter: () => () => 0.5,
  };
  return clearVessel(drawing, SHAPE, { open: false });
}

/** Mango cut into cubes. */
const CUBES = [
  [96, 140, 12],
  [112, 132, -8],
  [130, 134, 20],
  [146, 142, 4],
  [122, 144, -16],
] as const;

const mango = ({ g }: FoodDrawing): string => {
  const paint = g.box(0, 0, 1, 1, [
    [0, "#FFD372"],
    [1, "#E8951E"],
  ]);
  return CUBES.map(
    ([x, y, rotation]) =>
      `<rect x="${x - 7}" y="${y - 7}" width="14" height="13" rx="3" fill="${paint}" transform="rotate(${rotation} ${x} ${y})"/>`,
  ).join("");
};

export const parfait = food(["berry", "mango"], (drawing, variant) => {
  const { back, wet, light, rim, glass } = createGlass(drawing);
  const bands = [...BANDS]
    .reverse()
    .map((part) => band(drawing, glass.rIn, part, part.fruit ? PUREES[variant] : YOGURT))
    .join("");
  const sunk = (
    [
      [96, 214, 6],
      [146, 208, 5.4],
      [118, 219, 5],
      [92, 252, 6],
      [140, 254, 6.5],
      [116, 260, 6],
    ] as const
  ).map(([x, y, r]) => (variant === "berry" ? berry(drawing, x, y, r) : ""));
  const top =
    variant === "berry"
      ? strawberry(drawing, 106, 128, 1.02, -14) +
        berry(drawing, 134, 138, 9, 0.94) +
        berry(drawing, 147, 146, 8, 0.94) +
        strawberry(drawing, 128, 124, 0.8, 22) +
        berry(drawing, 88, 146, 8, 0.94)
      : mango(drawing);
  return back + wet + bands + sunk.join("") + light + rim + granola(drawing, 158, glass.rIn(158)) + top;
});
