import type { Drawing } from "../drink";
import { getAppearance, type Ingredient } from "../liquid/ingredients";
import { darker, lighter } from "../sheet/color";
import { CX, clipped, ellipse, path, svg } from "../sheet/svg";
import { sprinkle } from "./sprinkle";

/** Rings of cream: width, height above the rim as a share of the whole, number of ridges. */
const TIERS = [
  { wide: 1, up: 0, ridges: 7 },
  { wide: 0.76, up: 0.3, ridges: 6 },
  { wide: 0.5, up: 0.58, ridges: 5 },
] as const;

/** Turning points of the drizzle over the cream. */
const SWING = [
  [-1, -0.02],
  [0.9, -0.1],
  [-0.88, -0.26],
  [0.74, -0.36],
  [-0.68, -0.52],
  [0.54, -0.6],
  [-0.44, -0.74],
  [0.3, -0.84],
  [-0.16, -0.98],
] as const;

/** Piped cream on a rim of radius `r` at `y`: three rings of ridges and a peak, each ridge a rounded lobe with its own light. */
export function whip(drawing: Drawing, y: number, r: number): string {
  const { g, p, scatter } = drawing;
  const h = r * 0.98;
  const lobe = g.box(0.1, 0, 0.86, 1, [
    [0, "#FFFEFA"],
    [0.42, "#FDF5E7"],
    [0.74, "#EEDCC1"],
    [1, "#D2B892"],
  ]);
  let out = TIERS.map(({ wide, up, ridges }) => ring(lobe, y - up * h, r * wide, h, ridges)).join("");
  const yP = y - 0.7 * h;
  const peak = svg`M${CX - r * 0.26} ${yP}C${CX - r * 0.3} ${yP - h * 0.24} ${CX - r * 0.04} ${yP - h * 0.3} ${CX + r * 0.03} ${yP - h * 0.5}C${CX + r * 0.17} ${yP - h * 0.34} ${CX + r * 0.32} ${yP - h * 0.2} ${CX + r * 0.26} ${yP}C${CX + r * 0.16} ${yP + h * 0.1} ${CX - r * 0.16} ${yP + h * 0.1} ${CX - r * 0.26} ${yP}Z`;
  out += path(peak, `fill="${lobe}"`);
  if (p.drizzle) out += drizzleOver(drawing, p.drizzle, y, r, h);
  if (p.topping) {
    const random = scatter("topping");
    out += sprinkle(p.topping, CX, y - h * 0.02, r * 0.78, h * 0.17, random, 34);
    out += sprinkle(p.topping, CX, y - h * 0.36, r * 0.56, h * 0.16, random, 24);
    out += sprinkle(p.topping, CX, y - h * 0.72, r * 0.24, h * 0.16, random, 12);
  }
  return out;
}

function ring(lobe: string, y: number, r: number, h: number, ridges: number): string {
  const middle = (ridges - 1) / 2;
  // From the sides to the middle, so that front ridges cover their neighbors.
  const order = [...Array(ridges).keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
  const bed = ellipse(CX, y + 1, r * 0.94, h * 0.2, 'fill="#E4CFAF"');
  return order.reduce((out, i) => {
    const angle = (-76 + (152 * i) / (ridges - 1)) * (Math.PI / 180);
    const x = CX + Math.sin(angle) * r * 0.8;
    const yRidge = y + Math.cos(angle) * r * 0.17 - h * 0.05;
    const lean = 24 + Math.sin(angle) * 20;
    return (
      out +
      ellipse(
        x,
        yRidge,
        r * (0.2 + 0.16 * Math.cos(angle)),
        h * 0.225,
        svg`fill="${lobe}" transform="rotate(${lean} ${x} ${yRidge})"`,
      )
    );
  }, bed);
}

/** A line of sauce from side to side over the cream. */
function drizzleOver({ g }: Drawing, kind: Ingredient, y: number, r: number, h: number): string {
  const { color } = getAppearance(kind);
  let data = "";
  let [lastU, lastV] = [0, 0];
  for (const [u, v] of SWING) {
    const x = CX + u * r;
    const yBend = y + v * h;
    const bow = (yBend + y + lastV * h) / 2 + h * 0.15 * Math.abs(u);
    data += data ? svg`Q${CX + ((u + lastU) * r) / 2} ${bow} ${x} ${yBend}` : svg`M${x} ${yBend}`;
    [lastU, lastV] = [u, v];
  }
  const mound = TIERS.map(({ wide, up }) => ellipse(CX, y - up * h, r * wide * 1.02, h * 0.25));
  const on = g.clip(mound.join("") + ellipse(CX, y - h * 0.86, r * 0.27, h * 0.28));
  const line = 'fill="none" stroke-linejoin="round"';
  return clipped(
    on,
    path(
      data,
      `${line} stroke="${darker(color, 0.2)}" stroke-opacity=".35" stroke-width="4" transform="translate(.8 1.4)"`,
    ) +
      path(data, `${line} stroke="${color}" stroke-width="3.6"`) +
      path(
        data,
        `${line} stroke="${lighter(color, 0.55)}" stroke-opacity=".8" stroke-width="1" transform="translate(-.6 -.9)"`,
      ),
  );
}
