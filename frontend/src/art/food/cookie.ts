import type { Hex } from "../sheet/color";
import { seeded } from "../sheet/random";
import { foodShadow, type Point, polygon } from "../sheet/shapes";
import { CX, clipped, ellipse, path, svg } from "../sheet/svg";
import { dough, type FoodDrawing, flake, food, pore } from "./food";

const X = CX - 3;
const Y = 194;
const RX = 76;
const RY = 72;
const THICK = 9;

interface Crumb {
  lit: Hex;
  light: Hex;
  body: Hex;
  edge: Hex;
  side: Hex;
}

const GOLDEN: Crumb = { lit: "#F3CB8B", light: "#DFA75D", body: "#C4863E", edge: "#9E6227", side: "#8E5520" };
const CRUMBS = {
  chocolate: GOLDEN,
  oatmeal: { lit: "#E8BD80", light: "#CD9550", body: "#AC7234", edge: "#855020", side: "#74451A" },
  ginger: { lit: "#D08A4C", light: "#B26B30", body: "#8E4E1E", edge: "#6B3812", side: "#5C3010" },
  "double-chocolate": { lit: "#7E523A", light: "#603A26", body: "#482817", edge: "#33190D", side: "#2A140A" },
  sugar: { lit: "#FCEBC0", light: "#F2D494", body: "#DDB468", edge: "#B98A40", side: "#A67A36" },
} as const satisfies Record<string, Crumb>;

const CHUNKS = [
  [78, 156, 11],
  [121, 140, 10.5],
  [157, 164, 12],
  [98, 192, 13.5],
  [144, 206, 12],
  [62, 206, 9.5],
  [116, 240, 11],
  [176, 200, 8],
  [82, 236, 8],
  [154, 242, 8],
  [126, 172, 6.5],
  [96, 134, 6],
] as const;

const CRACKS =
  '<path d="M58 176C74 166 80 182 94 174S116 156 130 164" stroke-width="2"/><path d="M84 236C98 228 106 240 122 230S148 232 160 222" stroke-width="2"/><path d="M136 190C148 184 154 194 168 186" stroke-width="1.7"/>';

function disc(
  { g, small }: FoodDrawing,
  { lit, light, body, edge, side }: Crumb,
): { out: string; clip: string } {
  // A separate seed, so that toppings do not change the outline.
  const random = seeded(11);
  const shape = dough(X, Y, RX, RY, 0.045, 13, random);
  const rim = g.line(X - RX, 0, X + RX, 0, [
    [0, body],
    [0.3, light],
    [0.75, edge],
    [1, side],
  ]);
  const top = g.disc(
    X - RX * 0.34,
    Y - RY * 0.42,
    RX * 1.45,
    [
      [0, lit],
      [0.4, light],
      [0.76, body],
      [1, edge],
    ],
    RY / RX,
  );
  let texture = "";
  for (let i = 0; i < (small ? 14 : 40); i++) {
    const angle = random() * 6.28;
    const distance = Math.sqrt(random());
    const [x, y] = [X + Math.cos(angle) * distance * RX, Y + Math.sin(angle) * distance * RY];
    const color = random() > 0.5 ? lit : side;
    texture += pore(
      x,
      y,
      2 + random() * 5,
      (1 + random() * 2.4) * (RY / RX + 0.2),
      color,
      0.1 + random() * 0.16,
    );
  }
  const clip = g.clip(path(shape));
  const out =
    path(shape, `fill="${side}" transform="translate(${THICK * 0.4} ${THICK})"`) +
    path(shape, svg`fill="${rim}" transform="translate(${THICK * 0.3} ${THICK * 0.7})"`) +
    path(shape, `fill="${top}"`) +
    clipped(clip, texture);
  return { out, clip };
}

/** A broken piece of chocolate, sunk into the dough. */
function chunk({ g, random }: FoodDrawing, x: number, y: number, size: number): string {
  const corners = 5 + Math.floor(random() * 2);
  const start = random() * 6;
  const outline = polygon(
    Array.from({ length: corners }, (_, i): Point => {
      const angle = start + (i / corners) * 6.283;
      const r = size * (0.75 + random() * 0.4);
      return [x + Math.cos(angle) * r, y + Math.sin(angle) * r * 0.92];
    }),
  );
  const paint = g.box(0, 0, 1, 1, [
    [0, "#7A4A34"],
    [0.4, "#4A2719"],
    [1, "#2B140C"],
  ]);
  return (
    path(
      outline,
      'fill="#6E3A17" fill-opacity=".5" stroke="#6E3A17" stroke-opacity=".5" stroke-width="2.6" stroke-linejoin="round" transform="translate(.6 1.6)"',
    ) +
    path(outline, `fill="${paint}" stroke="#3A1D12" stroke-width="1.6" stroke-linejoin="round"`) +
    ellipse(x - size * 0.3, y - size * 0.31, size * 0.26, size * 0.12, 'fill="#fff" fill-opacity=".4"')
  );
}

/** Points spread evenly by the golden angle, for salt, sugar and oats. */
const scattered = (count: number, reach: number): readonly Point[] =>
  Array.from({ length: count }, (_, i): Point => {
    const distance = Math.sqrt((i + 0.5) / count) * reach;
    return [X + Math.cos(i * 2.4) * distance * RX, Y + Math.sin(i * 2.4) * distance * RY];
  });

function oats({ random }: FoodDrawing): string {
  return scattered(44, 0.9)
    .map(([x, y], i) => {
      const raisin = i % 6 === 2;
      const rest = svg`fill="${raisin ? "#46261C" : "#F4DFB2"}" fill-opacity=".88" stroke="#7A4A1C" stroke-opacity=".35" stroke-width=".7" transform="rotate(${random() * 180} ${x} ${y})"`;
      return raisin ? ellipse(x, y, 6.6, 4.8, rest) : ellipse(x, y, 5, 3, rest);
    })
    .join("");
}

function grains({ random }: FoodDrawing, count: number): string {
  return scattered(count, count > 40 ? 0.96 : 0.84)
    .map(([x, y]) => flake(x, y, 2.4, 2, "#FFFDF6", Math.round(random() * 90)))
    .join("");
}

export const cookie = food(
  ["chocolate", "oatmeal", "ginger", "double-chocolate", "sugar"],
  (drawing, variant) => {
    const { out, clip } = disc(drawing, CRUMBS[variant]);
    const cracks = `<g fill="none" stroke="${CRUMBS[variant].side}" stroke-opacity=".46" stroke-linecap="round">${CRACKS}</g>`;
    const body = foodShadow(drawing.g, 58, 7) + out + clipped(clip, cracks);
    if (variant === "oatmeal") return body + clipped(clip, oats(drawing));
    if (variant === "ginger" || variant === "sugar") return body + clipped(clip, grains(drawing, 90));
    const chunks = CHUNKS.map(([x, y, size]) => clipped(clip, chunk(drawing, x, y, size))).join("");
    return body + chunks + grains(drawing, 18);
  },
);
