import { foodShadow } from "../sheet/shapes";
import { clipped, ellipse, path, svg } from "../sheet/svg";
import { berry, dough, type FoodDrawing, flake, food, pore, strawberry } from "./food";

/** A slice of bread, seen slightly from above. */
const FACE =
  "M42 240C34 226 40 204 52 192C44 178 58 162 84 158C112 152 152 152 176 160C198 166 204 182 192 194C206 206 210 226 200 240C188 250 54 250 42 240Z";
const EDGE =
  "M40 232C36 248 40 262 52 268C80 275 164 275 190 268C202 262 206 248 202 232C196 250 48 250 40 232Z";
const SPREAD =
  "M56 234C50 220 56 206 66 194C60 182 72 170 92 168C116 163 150 163 168 169C184 174 188 184 178 194C190 206 194 222 186 234C172 242 70 242 56 234Z";

function slice({ g, random, small }: FoodDrawing): string {
  const crumb = g.disc(
    96,
    186,
    116,
    [
      [0, "#FBE6B8"],
      [0.5, "#EBC588"],
      [0.85, "#CF9850"],
      [1, "#9E6427"],
    ],
    0.62,
  );
  const crust = g.line(40, 0, 204, 0, [
    [0, "#A9662A"],
    [0.25, "#CF9248"],
    [0.7, "#99591F"],
    [1, "#6B3A10"],
  ]);
  let pores = "";
  for (let i = 0; i < (small ? 16 : 50); i++) {
    const [x, y] = [48 + random() * 148, 162 + random() * 78];
    pores += pore(x, y, 1 + random() * 3, 0.7 + random() * 1.4, random() > 0.5 ? "#FFF6DC" : "#A8682B", 0.34);
  }
  return (
    path(EDGE, `fill="${crust}"`) +
    path(FACE, `fill="${crumb}" stroke="#9E6427" stroke-width="4" stroke-linejoin="round"`) +
    clipped(g.clip(path(FACE)), pores)
  );
}

/** Mashed avocado with chili and seeds. */
function avocado({ g, random }: FoodDrawing): string {
  const paint = g.disc(
    98,
    188,
    98,
    [
      [0, "#D6E08E"],
      [0.5, "#AFC25C"],
      [1, "#7E9A3A"],
    ],
    0.6,
  );
  let out =
    path(SPREAD, 'fill="#5E7428" fill-opacity=".5" transform="translate(0 3)"') +
    path(SPREAD, `fill="${paint}"`);
  for (let i = 0; i < 22; i++) {
    const [x, y] = [70 + random() * 104, 174 + random() * 56];
    const lump = dough(x, y, 7 + random() * 8, 3 + random() * 3, 0.4, 7, random);
    out += path(lump, `fill="${random() > 0.5 ? "#E4EBA8" : "#8FA848"}" fill-opacity=".5"`);
  }
  for (let i = 0; i < 16; i++) {
    const [x, y] = [70 + random() * 104, 174 + random() * 56];
    out += flake(x, y, 4, 2.2, "#C0392E", Math.round(random() * 180));
  }
  for (let i = 0; i < 26; i++) {
    const [x, y] = [66 + random() * 112, 172 + random() * 60];
    out += ellipse(x, y, 1.8, 1.2, svg`fill="${random() > 0.5 ? "#FFF3D6" : "#2E2A33"}"`);
  }
  return out;
}

/** Ricotta with berries. */
function berries(drawing: FoodDrawing): string {
  const cream = drawing.g.disc(
    98,
    186,
    98,
    [
      [0, "#FFFEFA"],
      [0.7, "#F8EFDF"],
      [1, "#DCCBAB"],
    ],
    0.6,
  );
  return [
    path(SPREAD, `fill="${cream}"`),
    strawberry(drawing, 92, 196, 0.9, -20),
    strawberry(drawing, 142, 200, 0.95, 28),
    berry(drawing, 116, 184, 9),
    berry(drawing, 118, 216, 9),
    berry(drawing, 166, 184, 8),
    berry(drawing, 74, 220, 8),
    berry(drawing, 164, 224, 8),
  ].join("");
}

const BUTTER =
  '<path d="M92 190L128 178L158 190L122 204Z" fill="#FFF0B0"/><path d="M92 190L122 204L122 214L92 200Z" fill="#F2D272"/><path d="M122 204L158 190L158 200L122 214Z" fill="#D9B04A"/><path d="M84 214C96 206 140 222 166 210C172 220 150 228 122 227C96 226 80 222 84 214Z" fill="#FBE08A" fill-opacity=".7"/>';

export const toast = food(["avocado", "plain", "berry"], (drawing, variant) => {
  const on = { avocado: avocado, berry: berries, plain: () => BUTTER }[variant];
  return foodShadow(drawing.g, 80) + slice(drawing) + on(drawing);
});
