import { contactShadow } from "../sheet/shapes";
import { BASE, CX, clipped, ellipse, path, svg } from "../sheet/svg";
import { berry, type FoodDrawing, food, strawberry } from "./food";

const Y = 196;
const RX = 84;
const RY = 24;
const BOWL =
  "M36 196C38 236 66 262 90 268C104 273 136 273 150 268C174 262 202 236 204 196A84 24 0 0 1 36 196Z";

function bowl({ g }: FoodDrawing): string {
  const glaze = g.line(36, 0, 204, 0, [
    [0, "#CDBBA4"],
    [0.12, "#F1E7D8"],
    [0.28, "#FFFDF8"],
    [0.55, "#EFE4D3"],
    [0.85, "#C4AD8F"],
    [1, "#B49D80"],
  ]);
  const shade = g.line(0, 216, 0, 272, [
    [0, "#8A6A45", 0],
    [1, "#6B4A28", 0.34],
  ]);
  return (
    path(BOWL, `fill="${glaze}"`) +
    path(BOWL, `fill="${shade}"`) +
    '<path d="M52 222C58 240 70 252 82 258" fill="none" stroke="#fff" stroke-opacity=".85" stroke-width="5" stroke-linecap="round"/>'
  );
}

function porridge({ g, random, small }: FoodDrawing): string {
  const paint = g.disc(
    100,
    190,
    92,
    [
      [0, "#FBEFD6"],
      [0.6, "#EBD6AE"],
      [1, "#C9A870"],
    ],
    0.3,
  );
  let out = ellipse(CX, Y + 3, RX - 6, RY - 3, `fill="${paint}"`);
  for (let i = 0; i < (small ? 24 : 60); i++) {
    const angle = i * 2.4;
    const distance = Math.sqrt((i + 0.5) / 60) * 0.9;
    const [x, y] = [CX + Math.cos(angle) * distance * RX, Y + 3 + Math.sin(angle) * distance * RY];
    out += ellipse(
      x,
      y,
      4.6,
      2.2,
      svg`fill="${random() > 0.4 ? "#FFF8E6" : "#CDAA70"}" fill-opacity=".7" transform="rotate(${random() * 60 - 30} ${x} ${y})"`,
    );
  }
  return clipped(g.clip(ellipse(CX, Y + 2, RX - 5, RY - 2)), out);
}

const NUTS =
  '<path d="M84 196C92 186 150 184 160 194C158 204 92 206 84 196Z" fill="#8A4A18" fill-opacity=".5"/><g fill="#C28A4A" stroke="#7A4A1C" stroke-opacity=".5"><ellipse cx="98" cy="192" rx="9" ry="5" transform="rotate(-20 98 192)"/><ellipse cx="122" cy="188" rx="9" ry="5" transform="rotate(14 122 188)"/><ellipse cx="142" cy="194" rx="9" ry="5" transform="rotate(-8 142 194)"/><ellipse cx="114" cy="199" rx="9" ry="5" transform="rotate(30 114 199)"/></g>';

const fruit = (drawing: FoodDrawing): string =>
  [
    strawberry(drawing, 98, 184, 0.9, -18),
    berry(drawing, 124, 186, 9),
    berry(drawing, 140, 192, 9),
    berry(drawing, 116, 198, 8),
    strawberry(drawing, 158, 186, 0.74, 24),
  ].join("");

export const oatmeal = food(["plain", "berry"], (drawing, variant) =>
  [
    contactShadow(drawing.g, 58, BASE - 8),
    ellipse(CX, Y, RX, RY, 'fill="#D3BFA3"'),
    porridge(drawing),
    ellipse(CX, Y, RX - 2, RY - 1, 'fill="none" stroke="#FBF5EA" stroke-width="4"'),
    bowl(drawing),
    path(
      svg`M${CX - RX} ${Y}A${RX} ${RY} 0 0 0 ${CX + RX} ${Y}`,
      'fill="none" stroke="#fff" stroke-width="2.4"',
    ),
    variant === "berry" ? fruit(drawing) : NUTS,
  ].join(""),
);
