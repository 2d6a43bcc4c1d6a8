import { foodShadow } from "../sheet/shapes";
import { clipped, path, svg } from "../sheet/svg";
import { crumb, dough, type FoodDrawing, pore } from "./food";

/** A square piece, seen from its corner: the cut in front, the side in shadow, the top under crumble. */
const FRONT = "M38 204C60 210 118 214 158 212L156 270C116 274 66 272 42 266Z";
const SIDE = "M158 212C176 208 196 202 206 196L202 250C190 258 172 266 156 270Z";

function cake({ g, random, small }: FoodDrawing): string {
  const front = g.line(0, 204, 0, 272, [
    [0, "#FBE9BE"],
    [0.5, "#F3D595"],
    [0.9, "#DDB163"],
    [1, "#B57C34"],
  ]);
  const side = g.line(156, 0, 206, 0, [
    [0, "#D9AB5E"],
    [1, "#A9742F"],
  ]);
  // Cinnamon between two layers of cake, around the corner.
  const seam =
    '<path d="M38 236C58 230 74 246 96 240S136 234 158 242C174 244 190 230 204 226L203 236C190 240 174 254 158 252C136 246 116 254 96 251S58 242 40 247Z" fill="#74400F" fill-opacity=".82"/>';
  let pores = "";
  for (let i = 0; i < (small ? 16 : 60); i++) {
    const [x, y] = [40 + random() * 160, 210 + random() * 58];
    pores += pore(
      x,
      y,
      0.9 + random() * 2.2,
      0.6 + random() * 1.2,
      random() > 0.45 ? "#9A6426" : "#FFF5D8",
      0.35,
      random() * 90,
    );
  }
  return (
    path(SIDE, `fill="${side}"`) +
    path(FRONT, `fill="${front}"`) +
    clipped(g.clip(path(FRONT) + path(SIDE)), seam + pores)
  );
}

/** Lumps of butter crumble, those at the back first, with sugar on them. */
function crumble({ g, random, small }: FoodDrawing): string {
  const lump = g.blob([
    [0, "#F0C488"],
    [0.5, "#CF9448"],
    [1, "#8E5318"],
  ]);
  let out = path(
    "M40 206C50 190 80 180 112 178L206 186L206 200C190 208 170 214 158 216C118 216 62 214 40 206Z",
    'fill="#9A5F20"',
  );
  const rows = small ? 4 : 6;
  for (let row = 0; row < rows; row++) {
    const v = row / (rows - 1);
    const count = small ? 7 : 11;
    for (let i = 0; i < count; i++) {
      const u = (i + random() * 0.8) / count;
      const x = 92 - v * 52 + u * (116 + v * 4) + v * (u > 0.75 ? -6 : 0);
      const y =
        180 + v * 28 - Math.abs(u - 0.5) * 4 * (1 - v) + random() * 4 - (u > 0.8 ? (u - 0.8) * 40 * v : 0);
      const size = 6 + random() * 4.5;
      const shape = dough(x, y, size, size * 0.78, 0.42, 8, random);
      out += path(shape, 'fill="#5E330C" fill-opacity=".45" transform="translate(.8 2.2)"');
      out += path(shape, `fill="${lump}"`);
    }
  }
  for (let i = 0; i < (small ? 0 : 46); i++) {
    out += crumb(62 + random() * 132, 176 + random() * 26, 0.8 + random() * 1.2, "#FFFDF6", 0.85);
  }
  return out;
}

/** Coffee cake with a seam of cinnamon. */
export function coffeeCake(drawing: FoodDrawing): string {
  const fallen = [
    [24, 268, 4],
    [214, 266, 3.4],
    [196, 272, 2.6],
  ] as const;
  const crumbs = fallen.map(
    ([x, y, r]) => svg`<ellipse cx="${x}" cy="${y}" rx="${r}" ry="${r * 0.7}" fill="#B27A34"/>`,
  );
  return foodShadow(drawing.g, 84, 8) + cake(drawing) + crumble(drawing) + crumbs.join("");
}
