import { foodShadow } from "../sheet/shapes";
import { clipped, ellipse, path, svg } from "../sheet/svg";
import { berry, type FoodDrawing, flake, food, strawberry } from "./food";

/** A shallow tray, seen slightly from above. */
const FLOOR = "M52 170L188 170L204 238L36 238Z";
const FRONT = "M34 238L206 238L202 266C201 271 197 273 192 273L48 273C43 273 39 271 38 266Z";

function tray({ g }: FoodDrawing): string {
  const kraft = g.line(34, 0, 206, 0, [
    [0, "#A87B4B"],
    [0.2, "#D9B486"],
    [0.6, "#C79C6A"],
    [1, "#8F6336"],
  ]);
  return `<path d="M46 162L194 162L210 240L30 240Z" fill="#B98A5A"/><path d="M52 168L188 168L204 238L36 238Z" fill="#6E4A2A"/>${path(FRONT, `fill="${kraft}"`)}<path d="M34 239H206" stroke="#F4DDB8" stroke-width="2.4"/>`;
}

/** Half an egg with visible yolk. */
const egg = ({ g }: FoodDrawing, x: number, y: number): string => {
  const yolk = g.disc(x - 3, y - 3, 12, [
    [0, "#FFD978"],
    [1, "#EBA22E"],
  ]);
  return (
    ellipse(x, y + 3, 22, 15, 'fill="#C9B394"') +
    ellipse(x, y, 22, 15, 'fill="#FFFDF8"') +
    ellipse(x, y, 11, 8, `fill="${yolk}"`)
  );
};

const CHEESE =
  '<g stroke="#B57A1E" stroke-opacity=".4"><path d="M132 184L164 178L172 192L140 199Z" fill="#FFDA80"/><path d="M140 199L172 192L172 203L140 211Z" fill="#E9AE40"/><path d="M150 206L182 200L188 213L156 221Z" fill="#FFDA80"/><path d="M156 221L188 213L188 223L156 232Z" fill="#E9AE40"/></g>';

/** Grapes, drawn from back to front. */
const grapes = ({ g }: FoodDrawing): string => {
  const places = [
    [104, 184],
    [120, 182],
    [96, 198],
    [112, 198],
    [128, 198],
    [104, 213],
    [120, 214],
  ] as const;
  return places
    .map(([x, y]) => {
      const skin = g.disc(x - 3, y - 4, 14, [
        [0, "#D9E29A"],
        [0.5, "#A3B54E"],
        [1, "#6A7E28"],
      ]);
      return (
        ellipse(x, y, 9.4, 9, `fill="${skin}"`) +
        ellipse(x - 3, y - 3, 2, 1.4, 'fill="#fff" fill-opacity=".8"')
      );
    })
    .join("");
};

function almonds({ random }: FoodDrawing, x0: number, y0: number): string {
  let out = "";
  for (let i = 0; i < 16; i++) {
    const [x, y] = [x0 + random() * 44, y0 + random() * 16];
    out += ellipse(
      x,
      y,
      6,
      3.4,
      svg`fill="#B4763A" stroke="#6E3F14" stroke-opacity=".5" stroke-width=".8" transform="rotate(${random() * 180} ${x} ${y})"`,
    );
  }
  return out;
}

const APPLE =
  '<g stroke="#8E2236" stroke-opacity=".5"><path d="M60 200C72 184 98 186 106 202C94 212 72 212 60 200Z" fill="#FBF1D2"/><path d="M60 200C72 184 98 186 106 202C98 192 74 190 60 200Z" fill="#C93246"/><path d="M54 222C66 206 92 208 100 224C88 234 66 234 54 222Z" fill="#FBF1D2"/><path d="M54 222C66 206 92 208 100 224C92 214 68 212 54 222Z" fill="#C93246"/></g>';

function filling(drawing: FoodDrawing, variant: "protein" | "fruit"): string {
  if (variant === "protein") {
    return (
      egg(drawing, 70, 188) + egg(drawing, 66, 216) + grapes(drawing) + CHEESE + almonds(drawing, 142, 230)
    );
  }
  const crackers = [0, 1, 2]
    .map((i) =>
      flake(146 + i * 10, 178 + i * 14, 32, 13, "#E9C98A", 8, ' stroke="#9A6A30" stroke-opacity=".5"'),
    )
    .join("");
  return [
    APPLE,
    grapes(drawing),
    crackers,
    strawberry(drawing, 152, 222, 0.8, -14),
    strawberry(drawing, 176, 222, 0.8, 20),
    berry(drawing, 124, 228, 8),
    berry(drawing, 110, 230, 7.5),
  ].join("");
}

export const snackBox = food(["protein", "fruit"], (drawing, variant) => {
  const inside = drawing.g.clip(path(`${FLOOR}M40 130H200V240H36Z`));
  return foodShadow(drawing.g, 80) + tray(drawing) + clipped(inside, filling(drawing, variant));
});
