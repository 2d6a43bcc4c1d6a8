import { foodShadow } from "../sheet/shapes";
import { CX, ellipse, path } from "../sheet/svg";
import { berry, type FoodDrawing, food } from "./food";

const OUTER =
  "M28 228C24 196 62 174 120 174C178 174 216 196 212 228C212 254 176 272 120 272C64 272 28 254 28 228Z";

/** Leaves of laminated dough around the filling. */
function leaves({ g }: FoodDrawing): string {
  const paint = g.disc(
    88,
    196,
    126,
    [
      [0, "#FBE0A6"],
      [0.36, "#EDBA6C"],
      [0.7, "#CE8C40"],
      [1, "#8E541C"],
    ],
    0.7,
  );
  const folds = [
    "M34 236C60 258 92 264 120 264S180 258 206 236",
    "M36 226C60 246 92 253 120 253S180 246 204 226",
    "M44 206C56 190 86 182 120 182S184 190 196 206",
    "M38 214C52 196 84 187 120 187S188 196 202 214",
  ];
  return (
    path(OUTER, `fill="${paint}"`) +
    folds
      .map((data) =>
        path(
          data,
          'fill="none" stroke="#7A4312" stroke-opacity=".3" stroke-width="1.6" stroke-linecap="round"',
        ),
      )
      .join("") +
    '<path d="M46 210C58 190 84 180 110 178" fill="none" stroke="#FFF5DA" stroke-opacity=".75" stroke-width="5" stroke-linecap="round"/>'
  );
}

function filling({ g }: FoodDrawing): string {
  const cream = g.disc(
    102,
    206,
    64,
    [
      [0, "#FFFDF2"],
      [0.6, "#FBEEC8"],
      [1, "#E3C586"],
    ],
    0.5,
  );
  return (
    ellipse(CX, 218, 58, 25, 'fill="#8E541C" fill-opacity=".5"') +
    ellipse(CX, 215, 57, 24, `fill="${cream}"`) +
    '<path d="M84 212C96 202 120 200 136 206" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-opacity=".9"/>'
  );
}

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
    [98, 208, 9],
    [120, 204, 9.5],
    [142, 210, 9],
    [110, 222, 9],
    [132, 223, 9],
  ] as const;
  return (
    ellipse(CX, 215, 46, 18, `fill="${jam}"`) +
    places.map(([x, y, r]) => berry(drawing, x, y, r, 0.9)).join("")
  );
}

export const danish = food(["cheese", "berry"], (drawing, variant) => {
  const glaze =
    '<path d="M52 236C80 222 90 256 116 240S160 252 190 232" fill="none" stroke="#FFFDF4" stroke-opacity=".92" stroke-width="4.6" stroke-linecap="round"/>';
  return (
    foodShadow(drawing.g, 80) +
    leaves(drawing) +
    filling(drawing) +
    (variant === "berry" ? fruit(drawing) : glaze)
  );
});
