import type { Hex } from "../sheet/color";
import { contactShadow } from "../sheet/shapes";
import { BASE, CX, clipped, ellipse, path, svg } from "../sheet/svg";
import { berry, type FoodDrawing, flake, food, pore } from "./food";

const PAPER = { yT: 192, yB: 268, rT: 58, rB: 42 };
const CASE = `M${CX - PAPER.rT} ${PAPER.yT}L${CX - PAPER.rB} ${PAPER.yB}A${PAPER.rB} 9 0 0 0 ${CX + PAPER.rB} ${PAPER.yB}L${CX + PAPER.rT} ${PAPER.yT}A${PAPER.rT} 15 0 0 1 ${CX - PAPER.rT} ${PAPER.yT}Z`;
const TOP =
  "M54 194C48 176 58 164 68 158C70 140 88 124 108 122C130 114 156 124 164 142C180 148 192 166 187 188C186 200 176 206 166 204C158 212 144 212 136 207C124 213 110 212 102 207C90 212 76 210 72 204C62 206 55 202 54 194Z";

interface Crust {
  lit: Hex;
  light: Hex;
  body: Hex;
  deep: Hex;
}

const CRUSTS = {
  blueberry: { lit: "#F5CF8C", light: "#E2A959", body: "#C27F35", deep: "#8A4D1B" },
  chocolate: { lit: "#8A5A3E", light: "#6A3E28", body: "#4E2A1A", deep: "#2E170D" },
  bran: { lit: "#DDA868", light: "#BF8444", body: "#96602B", deep: "#643A15" },
  pumpkin: { lit: "#F2B566", light: "#DC8E3A", body: "#BA6A20", deep: "#834310" },
  lemon: { lit: "#FBE7A8", light: "#F0CC72", body: "#D6A545", deep: "#9C6E22" },
} as const satisfies Record<string, Crust>;

const SPOTS = [
  [88, 150, 9],
  [121, 138, 10],
  [148, 158, 9],
  [107, 174, 10],
  [74, 182, 8],
  [138, 186, 9.5],
  [168, 180, 7],
] as const;

function paperCase({ g }: FoodDrawing): string {
  const { yT, yB, rT, rB } = PAPER;
  const paint = g.line(CX - rT, 0, CX + rT, 0, [
    [0, "#D6BC97"],
    [0.22, "#F6E8D0"],
    [0.55, "#E5CFAD"],
    [0.88, "#B99669"],
    [1, "#C7A67B"],
  ]);
  let pleats = "";
  for (let i = -8; i <= 8; i++) {
    const angle = (i / 8.6) * (Math.PI / 2);
    const x0 = CX + Math.sin(angle) * rT;
    const x1 = CX + Math.sin(angle) * rB;
    const w = 3.4 * Math.cos(angle) + 0.5;
    pleats += svg`<path d="M${x0} ${yT - 2}L${x1} ${yB + 12}L${x1 + w * 0.7} ${yB + 12}L${x0 + w} ${yT - 2}Z" fill="#8A6337" fill-opacity=".24"/><path d="M${x0 - 0.8} ${yT - 2}L${x1 - 0.6} ${yB + 12}" stroke="#fff" stroke-opacity=".45" stroke-width=".9"/>`;
  }
  // The shadow of the dome on the paper.
  const shade = path(TOP, 'fill="#5E3414" fill-opacity=".42" transform="translate(2 6)"');
  return path(CASE, `fill="${paint}"`) + clipped(g.clip(path(CASE)), pleats + shade);
}

function dome({ g, random, small }: FoodDrawing, { lit, light, body, deep }: Crust): string {
  let texture = "";
  for (let i = 0; i < (small ? 20 : 60); i++) {
    const [x, y] = [56 + random() * 130, 126 + random() * 80];
    const color = random() > 0.55 ? lit : deep;
    texture += pore(
      x,
      y,
      1.2 + random() * 3.4,
      0.8 + random() * 1.8,
      color,
      0.1 + random() * 0.2,
      random() * 60 - 30,
    );
  }
  texture += `<path d="M80 156C96 148 104 158 118 150S150 152 160 162M92 178C104 172 116 182 130 174S150 178 162 184" fill="none" stroke="${deep}" stroke-opacity=".36" stroke-width="2" stroke-linecap="round"/>`;
  const paint = g.disc(96, 146, 112, [
    [0, lit],
    [0.36, light],
    [0.68, body],
    [1, deep],
  ]);
  return path(TOP, `fill="${paint}"`) + clipped(g.clip(path(TOP)), texture);
}

/** Blueberries with stains around them. */
function berries(drawing: FoodDrawing): string {
  const stain = drawing.g.blob([
    [0, "#5A2B52", 0.75],
    [0.6, "#6A3350", 0.35],
    [1, "#6A3350", 0],
  ]);
  return SPOTS.map(
    ([x, y, r]) => ellipse(x, y + 1, r * 1.5, r * 1.2, `fill="${stain}"`) + berry(drawing, x, y, r, 0.86),
  ).join("");
}

const chips = ({ random }: FoodDrawing): string =>
  SPOTS.map(([x, y, r]) => {
    const rotation = Math.round(random() * 90);
    return (
      flake(x, y, r * 1.2, r * 0.9, "#24110A", rotation) +
      flake(x + 2, y + 1, r * 0.4, 1.4, "#8A6350", rotation)
    );
  }).join("");

const seeds = ({ random }: FoodDrawing): string =>
  SPOTS.map(([x, y, r]) =>
    ellipse(
      x,
      y,
      r * 0.72,
      r * 0.36,
      `fill="#B9B46A" stroke="#6E6A2E" stroke-opacity=".5" stroke-width=".8" transform="rotate(${Math.round(random() * 180)} ${x} ${y})"`,
    ),
  ).join("");

/** Lemon icing, run down from the top. */
const ICING =
  '<path d="M72 160C76 140 94 128 112 127C134 121 154 130 161 146C168 152 172 160 168 168C163 174 158 168 154 164C148 160 146 172 141 178C136 184 131 176 129 169C126 162 118 164 115 172C112 182 104 182 102 173C100 165 94 163 89 168C84 174 74 172 72 160Z" fill="#FFFBEC" fill-opacity=".94"/><path d="M84 150C94 138 110 134 124 135" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/>';

export const muffin = food(["blueberry", "chocolate", "bran", "pumpkin", "lemon"], (drawing, variant) => {
  const { g, random } = drawing;
  let out = contactShadow(g, 46, BASE - 7) + paperCase(drawing);
  out += dome(drawing, CRUSTS[variant]);
  const inTop = g.clip(path(TOP));
  if (variant === "blueberry") out += clipped(inTop, berries(drawing));
  if (variant === "chocolate") out += clipped(inTop, chips(drawing));
  if (variant === "pumpkin") out += clipped(inTop, seeds(drawing));
  if (variant === "lemon") return out + ICING;
  const grain: Hex = variant === "chocolate" ? "#B08468" : "#FFF6E2";
  for (let i = 0; i < 26; i++) {
    const [x, y] = [72 + random() * 96, 128 + random() * 52];
    const rotation = Math.round(random() * 90);
    out += flake(x, y, 1.6 + random() * 1.6, 1.4 + random(), grain, rotation, ' fill-opacity=".9"');
  }
  return out;
});
