import type { Hex } from "../sheet/color";
import { foodShadow } from "../sheet/shapes";
import { clipped, ellipse, path, svg } from "../sheet/svg";
import { coffeeCake } from "./coffee-cake";
import { dough, type FoodDrawing, food, pore } from "./food";

const FACE =
  "M46 262C43 238 46 214 44 194C30 186 32 160 52 150C76 132 138 132 162 150C182 160 184 186 170 194C168 214 171 238 168 262C167 270 160 273 152 273L62 273C54 273 47 270 46 262Z";
const INNER =
  "M54 261C51 238 54 214 52 191C40 184 42 164 58 156C80 140 134 140 156 156C172 164 174 184 162 191C160 214 163 238 160 261C159 265 155 266 150 266L64 266C59 266 55 265 54 261Z";

interface Crumb {
  lit: Hex;
  light: Hex;
  body: Hex;
  edge: Hex;
  crust: Hex;
}

const CRUMBS = {
  banana: { lit: "#F8DFA9", light: "#EBC47E", body: "#D8A55A", edge: "#C08A42", crust: "#8A4A18" },
  lemon: { lit: "#FDF0BE", light: "#F8E08E", body: "#E9C764", edge: "#D0A645", crust: "#B07A30" },
  pumpkin: { lit: "#F0B268", light: "#DC8F40", body: "#C27428", edge: "#A45A1A", crust: "#74390F" },
  marble: { lit: "#F9E6B8", light: "#EFD192", body: "#DDB36A", edge: "#C0924A", crust: "#8A4A18" },
} as const satisfies Record<string, Crumb>;

/** The thickness of the slice, on the side in shadow. */
function behind({ g }: FoodDrawing): string {
  const top = g.line(60, 124, 206, 190, [
    [0, "#B9742E"],
    [0.4, "#96561D"],
    [1, "#5E300C"],
  ]);
  const side = g.line(168, 0, 200, 0, [
    [0, "#8A4D19"],
    [1, "#5A2F0E"],
  ]);
  return `${path(FACE, 'fill="#5A2F0E" transform="translate(28 -8)"')}<path d="M162 150C182 160 184 186 170 194L198 186C212 178 210 152 190 142C166 124 104 124 80 142L52 150C76 132 138 132 162 150Z" fill="${top}"/><path d="M170 194C168 214 171 238 168 262C167 270 160 273 152 273L180 265C188 265 195 262 196 254C199 230 196 206 198 186Z" fill="${side}"/>`;
}

function pores({ random, small }: FoodDrawing): string {
  let out = "";
  for (let i = 0; i < (small ? 30 : 90); i++) {
    const [x, y] = [52 + random() * 112, 146 + random() * 120];
    const color = random() > 0.4 ? "#A76B2A" : "#FFF0CB";
    out += pore(x, y, 0.8 + random() * 2.4, 0.7 + random() * 1.5, color, 0.2 + random() * 0.3, random() * 90);
  }
  return out;
}

/** Banana fibers and walnuts in the crumb. */
function bananaAndNuts({ g, random }: FoodDrawing): string {
  let out = "";
  for (let i = 0; i < 26; i++) {
    const [x, y] = [58 + random() * 100, 152 + random() * 108];
    out += svg`<path d="M${x} ${y}q${random() * 3 - 1} ${2 + random() * 2} ${random() * 2} ${4 + random() * 3}" stroke="#5A3213" stroke-opacity=".55" stroke-width="1" fill="none" stroke-linecap="round"/>`;
  }
  const nutmeat = g.box(0, 0, 1, 1, [
    [0, "#E2B878"],
    [0.5, "#B98446"],
    [1, "#82531F"],
  ]);
  const nuts = [
    [76, 176, 8],
    [132, 170, 7],
    [104, 206, 9],
    [144, 222, 7],
    [72, 234, 8],
    [118, 248, 7],
  ] as const;
  for (const [x, y, size] of nuts) {
    const nut = dough(x, y, size, size * 0.74, 0.4, 7, random);
    out += path(nut, 'fill="#7A4A1C" fill-opacity=".5" transform="translate(.8 1.4)"');
    out += path(nut, `fill="${nutmeat}"`);
  }
  return out;
}

/** Banana, pressed into the crust before baking. */
function bananaSlices({ g }: FoodDrawing): string {
  const slices = [
    [84, 140, 17, -8],
    [116, 132, 18, 3],
    [148, 139, 16, 12],
  ] as const;
  return slices
    .map(([x, y, r, rotation]) => {
      const flesh = g.disc(
        x - 4,
        y - 2,
        r * 1.2,
        [
          [0, "#FFF0B8"],
          [0.6, "#F6D77E"],
          [0.88, "#DDA744"],
          [1, "#B87A26"],
        ],
        0.42,
      );
      const heart =
        'fill="none" stroke="#C0902F" stroke-opacity=".6" stroke-width="1" stroke-dasharray="1.4 2.6"';
      return `<g transform="rotate(${rotation} ${x} ${y})">${ellipse(x, y + 2.4, r, r * 0.42, 'fill="#8A5A1C"')}${ellipse(x, y, r, r * 0.42, `fill="${flesh}"`)}${ellipse(x, y, r * 0.42, r * 0.16, heart)}</g>`;
    })
    .join("");
}

const ICING =
  '<path d="M40 176C36 160 50 150 58 146C80 128 104 124 122 124C150 122 178 130 192 142C204 148 206 160 200 168C194 172 190 162 184 160C176 158 176 168 172 174C168 180 162 176 160 168C157 160 148 160 145 168C142 180 134 180 132 170C130 162 120 161 117 168C114 176 107 176 105 168C102 160 93 161 90 169C87 180 78 180 76 170C73 162 66 164 63 172C59 182 44 188 40 176Z" fill="#FFFCF2"/><path d="M62 152C84 138 112 134 140 136" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/>';

const MARBLE =
  '<path d="M52 200C70 176 88 214 104 190S140 168 166 186L164 214C146 200 136 232 116 220S84 236 54 228Z" fill="#5A321D" fill-opacity=".86"/><path d="M62 168C80 156 92 170 108 160S140 152 152 162C140 172 126 166 112 174S76 178 62 168Z" fill="#5A321D" fill-opacity=".8"/><path d="M66 252C84 240 100 256 116 246S146 244 154 254" fill="none" stroke="#5A321D" stroke-opacity=".8" stroke-width="6" stroke-linecap="round"/>';

/** Seeds along the top edge. */
function strewn({ random }: FoodDrawing, color: Hex, shade: Hex, long: number, count: number): string {
  let out = "";
  for (let i = 0; i < count; i++) {
    const u = i / (count - 1);
    const x = 46 + u * 146 + (random() - 0.5) * 8;
    const y = 150 - Math.sin(u * Math.PI) * 18 + (random() - 0.5) * 16;
    out += ellipse(
      x,
      y,
      long * (0.7 + random() * 0.5),
      long * 0.55,
      svg`fill="${color}" stroke="${shade}" stroke-opacity=".5" stroke-width=".8" transform="rotate(${random() * 180} ${x} ${y})"`,
    );
  }
  return out;
}

const CORES = {
  banana: bananaAndNuts,
  lemon: () => "",
  pumpkin: () => "",
  marble: () => MARBLE,
};

const CRUSTS = {
  banana: bananaSlices,
  lemon: () => ICING,
  pumpkin: (drawing: FoodDrawing) => strewn(drawing, "#A9A860", "#5E5C26", 5.6, 22),
  marble: () => "",
};

export const loaf = food(["banana", "lemon", "pumpkin", "marble", "coffee-cake"], (drawing, variant) => {
  if (variant === "coffee-cake") return coffeeCake(drawing);
  const { g } = drawing;
  const { lit, light, body, edge, crust } = CRUMBS[variant];
  const crumb = g.disc(84, 180, 120, [
    [0, lit],
    [0.45, light],
    [0.8, body],
    [1, edge],
  ]);
  return [
    foodShadow(g, 78, 8),
    behind(drawing),
    path(FACE, `fill="${crust}"`),
    path(INNER, `fill="${crumb}"`),
    clipped(g.clip(path(INNER)), pores(drawing) + CORES[variant](drawing)),
    path(INNER, 'fill="none" stroke="#A8682B" stroke-opacity=".5" stroke-width="1.4"'),
    '<path d="M58 156C70 146 88 142 104 142" fill="none" stroke="#FFF0CF" stroke-opacity=".5" stroke-width="3" stroke-linecap="round"/>',
    CRUSTS[variant](drawing),
  ].join("");
});
