import { foodShadow } from "../sheet/shapes";
import { clipped, ellipse, path, svg } from "../sheet/svg";
import { berry, type FoodDrawing, flake, food, pore } from "./food";

/** A wedge with its tip at the front: the top face and the rough side below. */
const TOP =
  "M44 202C40 186 62 164 92 154C118 145 156 146 178 158C202 170 212 188 200 202C188 216 164 224 140 232C124 238 110 238 98 232C74 224 48 216 44 202Z";
const SIDE =
  "M43 198C38 224 42 246 52 254C66 264 86 268 104 272C116 275 128 274 140 271C162 265 188 260 198 250C207 240 206 216 202 196C186 218 164 226 140 234C124 240 110 240 98 234C74 226 50 216 43 198Z";

const crust = ({ g }: FoodDrawing) => ({
  top: g.disc(
    92,
    168,
    124,
    [
      [0, "#FAE0A8"],
      [0.35, "#EDBF76"],
      [0.7, "#D2944A"],
      [1, "#A4662A"],
    ],
    0.6,
  ),
  side: g.line(40, 0, 204, 0, [
    [0, "#D9A660"],
    [0.3, "#F6DFAE"],
    [0.56, "#E6C084"],
    [0.8, "#C08A48"],
    [1, "#96622A"],
  ]),
});

/** The rough texture of the dough. */
function crags({ random, small }: FoodDrawing): string {
  let out = "";
  for (let i = 0; i < (small ? 24 : 70); i++) {
    const [x, y] = [44 + random() * 158, 152 + random() * 116];
    const color = random() > 0.5 ? "#FFF0CB" : "#9A5E24";
    out += pore(
      x,
      y,
      1 + random() * 4,
      0.8 + random() * 1.8,
      color,
      0.16 + random() * 0.2,
      random() * 60 - 30,
    );
  }
  return `${out}<path d="M60 190C80 176 96 196 118 184S160 178 184 190M82 216C100 204 118 220 140 210" fill="none" stroke="#9A5E24" stroke-opacity=".4" stroke-width="2" stroke-linecap="round"/>`;
}

const SPOTS = [
  [78, 186, 7],
  [112, 168, 8],
  [150, 178, 8],
  [126, 206, 7.5],
  [176, 196, 7],
  [92, 212, 6.5],
  [72, 240, 7],
  [122, 256, 7.5],
  [168, 240, 7],
] as const;

const cranberries = ({ g }: FoodDrawing) =>
  SPOTS.map(([x, y, r]) => {
    const paint = g.disc(x - r * 0.4, y - r * 0.4, r * 1.5, [
      [0, "#E2606A"],
      [0.45, "#A81F35"],
      [1, "#5E0E1E"],
    ]);
    return (
      ellipse(x, y, r, r * 0.8, `fill="${paint}"`) +
      ellipse(x - 2, y - 2, 1.8, 1, 'fill="#fff" fill-opacity=".6"')
    );
  }).join("");

const MAPLE =
  '<path d="M54 200C60 176 96 158 132 157C166 156 194 172 196 192C192 206 182 200 176 208C170 218 160 214 154 222C146 232 138 226 132 222C124 216 118 230 110 228C100 226 102 216 92 216C82 218 76 212 70 208C62 206 52 210 54 200Z" fill="#E9C089" fill-opacity=".95"/><path d="M72 186C86 172 112 165 132 166" fill="none" stroke="#FFF4DC" stroke-width="5" stroke-linecap="round" stroke-opacity=".9"/>';

/** Sugar over the top face. */
function sugar({ random }: FoodDrawing): string {
  let out = "";
  for (let i = 0; i < 34; i++) {
    const angle = random() * 6.283;
    const distance = Math.sqrt(random());
    const [x, y] = [122 + Math.cos(angle) * distance * 70, 192 + Math.sin(angle) * distance * 34];
    out += flake(x, y, 2, 1.7, "#FFFDF6", Math.round(random() * 90), ' fill-opacity=".9"');
  }
  return out;
}

export const scone = food(["blueberry", "cranberry", "maple", "plain"], (drawing, variant) => {
  const { g } = drawing;
  const { top, side } = crust(drawing);
  const whole = g.clip(path(TOP) + path(SIDE));
  let filling = "";
  if (variant === "blueberry") filling = SPOTS.map(([x, y, r]) => berry(drawing, x, y, r, 0.84)).join("");
  if (variant === "cranberry") filling = cranberries(drawing);
  return [
    foodShadow(g, 72, 7),
    path(SIDE, `fill="${side}"`),
    path(TOP, svg`fill="${top}"`),
    clipped(whole, crags(drawing) + filling),
    '<path d="M60 184C74 168 98 158 120 156" fill="none" stroke="#FFF5DA" stroke-opacity=".7" stroke-width="4" stroke-linecap="round"/>',
    variant === "maple" ? MAPLE : sugar(drawing),
  ].join("");
});
