import type { Hex } from "../sheet/color";
import { foodShadow } from "../sheet/shapes";
import { clipped, path, svg } from "../sheet/svg";
import { type FoodDrawing, flake, food, pore } from "./food";

/** A square with one corner at the front: a dry top and two moist sides. */
const TOP =
  "M38 204C34 200 36 196 42 194L112 168C118 166 124 166 130 168L200 192C206 194 206 199 202 202L132 232C126 235 116 235 110 232Z";
const LEFT =
  "M37 202L110 233C114 235 118 235 121 235L121 274C116 275 112 274 108 272L44 244C38 241 37 238 37 232Z";
const RIGHT =
  "M121 235C126 235 129 234 132 233L204 201L204 232C204 238 202 241 196 244L134 272C130 274 126 275 121 274Z";

interface Bake {
  lit: Hex;
  top: Hex;
  edge: Hex;
  left: Hex;
  right: Hex;
  chip: Hex;
}

const BAKES = {
  chocolate: {
    lit: "#9A6B50",
    top: "#6E432E",
    edge: "#4E2C1C",
    left: "#4A2718",
    right: "#2C150C",
    chip: "#1C0C06",
  },
  blondie: {
    lit: "#F8DDA2",
    top: "#E5B86C",
    edge: "#C08C42",
    left: "#DDA85C",
    right: "#AA7430",
    chip: "#4A2719",
  },
} as const satisfies Record<string, Bake>;

/** The thin crust of sugar cracks as it cools. */
const CRACKS =
  "M52 198C74 200 84 186 106 190S136 178 150 184M92 216C110 206 124 214 142 206S172 200 186 204M118 172C124 182 140 182 152 194M70 208C78 200 90 206 98 200";

function moist({ random, small }: FoodDrawing, { chip, lit }: Bake): string {
  let out = "";
  for (let i = 0; i < (small ? 20 : 64); i++) {
    const [x, y] = [38 + random() * 166, 210 + random() * 60];
    const color = random() > 0.5 ? chip : lit;
    out += pore(x, y, 1 + random() * 2.6, 0.8 + random() * 1.6, color, 0.2 + random() * 0.3);
  }
  for (let i = 0; i < 10; i++) {
    const [x, y] = [48 + random() * 146, 222 + random() * 40];
    out += flake(x, y, 6 + random() * 4, 5 + random() * 2, chip, Math.round(random() * 60));
  }
  return out;
}

export const brownie = food(["chocolate", "blondie"], (drawing, variant) => {
  const { g, random } = drawing;
  const bake = BAKES[variant];
  const paint = g.line(52, 180, 190, 226, [
    [0, bake.lit],
    [0.45, bake.top],
    [1, bake.edge],
  ]);
  const left = g.line(37, 0, 121, 0, [
    [0, bake.left],
    [1, bake.edge],
  ]);
  let flakes = "";
  for (let i = 0; i < 9; i++) {
    const [x, y] = [80 + random() * 84, 184 + random() * 34];
    flakes += flake(x, y, 5 + random() * 4, 3.4, bake.chip, Math.round(random() * 60 - 30));
  }
  return [
    foodShadow(g, 72, 8),
    path(LEFT, `fill="${left}"`),
    path(RIGHT, `fill="${bake.right}"`),
    clipped(g.clip(path(LEFT) + path(RIGHT)), moist(drawing, bake)),
    path(TOP, `fill="${paint}"`),
    path(CRACKS, `fill="none" stroke="${bake.edge}" stroke-width="1.8" stroke-linecap="round"`),
    path(
      CRACKS,
      svg`fill="none" stroke="${bake.lit}" stroke-width=".9" stroke-linecap="round" transform="translate(-.6 1.4)"`,
    ),
    flakes,
    '<path d="M46 198L112 172C118 170 122 170 128 171" fill="none" stroke="#fff" stroke-opacity=".34" stroke-width="2.6" stroke-linecap="round"/>',
  ].join("");
});
