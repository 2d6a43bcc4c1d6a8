import { foodShadow } from "../sheet/shapes";
import { CX, clipped, ellipse, path, svg } from "../sheet/svg";
import { berry, dough, type FoodDrawing, food, pore } from "./food";

/** Middle of the ring, and its radii along the middle of the rope. */
const RING = { y: 216, rx: 76, ry: 33 };
const TURNS = 17;

/** The pastry below the rope. */
function base({ g }: FoodDrawing): string {
  const side = g.line(30, 0, 210, 0, [
    [0, "#B9742C"],
    [0.3, "#D99A4C"],
    [0.7, "#B36E2A"],
    [1, "#7C4414"],
  ]);
  return path(
    "M26 218C26 252 60 270 120 270S214 252 214 218C214 190 170 178 120 178S26 190 26 218Z",
    `fill="${side}"`,
  );
}

/** One turn of the rope: a baked strand that lies across the ring. */
function turn({ g, small }: FoodDrawing, index: number): string {
  const angle = (index / TURNS) * Math.PI * 2 - Math.PI / 2;
  const [x, y] = [CX + Math.cos(angle) * RING.rx, RING.y + Math.sin(angle) * RING.ry];
  // Strands lean along the ring, and those in front are larger.
  const near = (Math.sin(angle) + 1) / 2;
  const [long, wide] = [24 + near * 3, 13 + near * 2.5];
  const tangent = (Math.atan2(Math.cos(angle) * RING.ry, -Math.sin(angle) * RING.rx) * 180) / Math.PI;
  const paint = g.disc(-long * 0.25, -wide * 0.5, long * 1.25, [
    [0, "#FFE9B4"],
    [0.3, "#F2C074"],
    [0.66, "#D08C3C"],
    [1, "#8A4E18"],
  ]);
  const lines = small
    ? ""
    : path(
        svg`M${-long * 0.8} ${wide * 0.1}C${-long * 0.3} ${-wide * 0.5} ${long * 0.3} ${-wide * 0.5} ${long * 0.8} ${wide * 0.1}`,
        'fill="none" stroke="#7A4312" stroke-opacity=".35" stroke-width="1.3"',
      );
  const shine = path(
    svg`M${-long * 0.5} ${-wide * 0.5}C${-long * 0.15} ${-wide * 0.85} ${long * 0.2} ${-wide * 0.8} ${long * 0.42} ${-wide * 0.5}`,
    'fill="none" stroke="#FFF7DF" stroke-opacity=".75" stroke-width="2.2" stroke-linecap="round"',
  );
  return svg`<g transform="translate(${x} ${y}) rotate(${tangent + 24})">${ellipse(0.6, 2.4, long, wide, 'fill="#5E330E" fill-opacity=".4"')}${ellipse(0, 0, long, wide, `fill="${paint}"`)}${lines}${shine}</g>`;
}

/** The rope, back strands first. */
function rope(drawing: FoodDrawing): string {
  const order = Array.from({ length: TURNS }, (_, index) => index).sort(
    (a, b) =>
      Math.sin((a / TURNS) * Math.PI * 2 - Math.PI / 2) - Math.sin((b / TURNS) * Math.PI * 2 - Math.PI / 2),
  );
  return order.map((index) => turn(drawing, index)).join("");
}

function cheese({ g, random }: FoodDrawing): string {
  const cream = g.disc(
    104,
    206,
    66,
    [
      [0, "#FFFDF4"],
      [0.55, "#FDF1CE"],
      [0.85, "#F2D797"],
      [1, "#D9AC5C"],
    ],
    0.46,
  );
  const pool = dough(CX, RING.y - 2, 57, 21, 0.09, 14, random);
  let baked = "";
  for (let i = 0; i < 7; i++) {
    const angle = 0.3 + random() * 2.6;
    const [x, y] = [CX + Math.cos(angle) * 44, RING.y - 1 + Math.sin(angle) * 14];
    baked += pore(x, y, 5 + random() * 6, 1.6 + random() * 1.6, "#C98A34", 0.35);
  }
  return (
    path(pool, 'fill="#6B3A10" fill-opacity=".45" transform="translate(0 2.6)"') +
    path(pool, `fill="${cream}"`) +
    clipped(g.clip(path(pool)), baked) +
    '<path d="M86 206C98 198 118 196 134 200" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-opacity=".95"/>'
  );
}

/** Icing from a bag, across rope and cheese. */
const ICING =
  '<path d="M34 208C48 236 60 196 74 234S96 192 108 244S134 194 142 246S168 196 174 238S196 200 206 218" fill="none" stroke="#B58A4E" stroke-opacity=".4" stroke-width="4.4" stroke-linecap="round" stroke-linejoin="round" transform="translate(.6 1.8)"/><path d="M34 208C48 236 60 196 74 234S96 192 108 244S134 194 142 246S168 196 174 238S196 200 206 218" fill="none" stroke="#FFFDF6" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/>';

/** Raspberry jam in the middle, blueberries on it. */
function fruit(drawing: FoodDrawing): string {
  const jam = drawing.g.disc(
    106,
    208,
    52,
    [
      [0, "#E2607A"],
      [0.5, "#B02748"],
      [1, "#7A142E"],
    ],
    0.5,
  );
  const places = [
    [96, 210, 8.5],
    [120, 206, 9],
    [143, 211, 8.5],
    [108, 221, 8.5],
    [132, 221, 8.5],
  ] as const;
  return (
    ellipse(CX, 214, 46, 16, `fill="${jam}"`) +
    places.map(([x, y, r]) => berry(drawing, x, y, r, 0.9)).join("")
  );
}

export const danish = food(
  ["cheese", "berry"],
  (drawing, variant) =>
    foodShadow(drawing.g, 80) +
    base(drawing) +
    rope(drawing) +
    cheese(drawing) +
    (variant === "berry" ? fruit(drawing) : ICING),
);
