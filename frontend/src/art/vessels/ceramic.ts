import { at, type Drawing } from "../drink";
import { contactShadow, nearArc } from "../sheet/shapes";
import { BASE, CX, clipped, ellipse, K, path, svg } from "../sheet/svg";
import { steam } from "../tops/steam";
import { surface } from "../tops/surface";
import { whip } from "../tops/whip";

/** The flattening of the wide bowl. */
const BOWL_K = K + 0.05;

interface Bowl {
  /** Radius of the mouth, of the foot ring and of the saucer. */
  R: number;
  foot: number;
  saucer: number;
  h: number;
  yT: number;
  yB: number;
  ySaucer: number;
}

function createBowl({ p }: Drawing): Bowl {
  const R = at([44, 60, 68, 74], p.size);
  const h = R * at([1.02, 0.96, 0.94, 0.94], p.size);
  const saucer = R * 1.34;
  const ySaucer = BASE - saucer * 0.2;
  const yB = ySaucer - 3;
  return { R, foot: R * 0.46, saucer, h, yT: yB - h, yB, ySaucer };
}

/** Porcelain on a saucer. */
export function ceramicCup(drawing: Drawing): string {
  const { g, p } = drawing;
  const bowl = createBowl(drawing);
  const { R, yT, saucer } = bowl;
  let out = contactShadow(g, saucer * 0.86, BASE - 10, 0.8);
  out += saucerUnder(drawing, bowl) + handle(bowl) + mouth(drawing, bowl) + wall(drawing, bowl);
  if (p.whip) out += whip(drawing, yT + 4, R * 0.8);
  else if (p.steam) out += steam(g, yT - R * 0.24);
  return out;
}

function saucerUnder({ g }: Drawing, { saucer, ySaucer, foot }: Bowl): string {
  const plate = g.line(CX - saucer, ySaucer - 16, CX + saucer, ySaucer + 16, [
    [0, "#FFFDF8"],
    [0.5, "#F3E9DA"],
    [1, "#DCCBB3"],
  ]);
  const well = g.line(CX - saucer * 0.6, 0, CX + saucer * 0.6, 0, [
    [0, "#D8C6AC"],
    [0.6, "#EFE4D3"],
    [1, "#FBF5EA"],
  ]);
  const shade = g.shadow(CX + 8, ySaucer + 2, foot * 1.5, 0.2, [
    [0, 0.55],
    [0.6, 0.3],
    [1, 0],
  ]);
  return [
    ellipse(CX, ySaucer + 4, saucer, saucer * 0.2, 'fill="#C2AB8C"'),
    ellipse(CX, ySaucer, saucer, saucer * 0.2, `fill="${plate}"`),
    ellipse(CX, ySaucer + 1, saucer * 0.66, saucer * 0.115, `fill="${well}"`),
    ellipse(CX + 8, ySaucer + 2, foot * 1.5, foot * 0.3, `fill="${shade}"`),
  ].join("");
}

function handle({ R, yT, h }: Bowl): string {
  const x = CX + R * 0.9;
  const w = R * 0.15;
  const data = svg`M${x - 2} ${yT + h * 0.2}C${x + R * 0.3} ${yT + h * 0.02} ${x + R * 0.56} ${yT + h * 0.22} ${x + R * 0.4} ${yT + h * 0.48}C${x + R * 0.3} ${yT + h * 0.62} ${x + R * 0.04} ${yT + h * 0.66} ${x - R * 0.18} ${yT + h * 0.66}`;
  const stroke = (color: string, width: number, rest = "") =>
    path(data, svg`fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round"${rest}`);
  return (
    stroke("#C4AD8F", w, ' transform="translate(1 1.2)"') +
    stroke("#EADDC9", w) +
    stroke("#FFFDF8", w * 0.34, ' transform="translate(-1 -1.6)"')
  );
}

function mouth(drawing: Drawing, { R, yT, h }: Bowl): string {
  const { g, p } = drawing;
  const inner = R - at([4, 5, 5.5, 6], p.size);
  const lining = g.line(CX - R, 0, CX + R, 0, [
    [0, "#D3BFA3"],
    [0.5, "#EADFCD"],
    [1, "#FFFBF3"],
  ]);
  const rim = g.line(CX - R, yT - R * BOWL_K, CX + R, yT + R * BOWL_K, [
    [0, "#FFFFFF"],
    [0.6, "#F7EFE3"],
    [1, "#FFFFFF"],
  ]);
  const inside = g.clip(ellipse(CX, yT + 0.5, inner, inner * BOWL_K));
  const yLevel = yT + R * 0.06 + (1 - p.fill) * h * 0.3;
  const drink = p.fill > 0.1 ? surface(drawing, yLevel, inner - 0.5, BOWL_K) : "";
  return (
    ellipse(CX, yT, R, R * BOWL_K, `fill="${lining}"`) +
    clipped(inside, drink) +
    ellipse(
      CX,
      yT,
      R - 1.4,
      (R - 1.4) * BOWL_K,
      `fill="none" stroke="${rim}" stroke-width="${R > 50 ? 4 : 3.2}"`,
    )
  );
}

function wall({ g }: Drawing, { R, h, foot, yT, yB }: Bowl): string {
  const outline = svg`M${CX - R} ${yT}C${CX - R * 0.99} ${yT + h * 0.52} ${CX - R * 0.72} ${yT + h * 0.86} ${CX - foot} ${yB - 2}A${foot} ${foot * 0.26} 0 0 0 ${CX + foot} ${yB - 2}C${CX + R * 0.72} ${yT + h * 0.86} ${CX + R * 0.99} ${yT + h * 0.52} ${CX + R} ${yT}A${R} ${R * BOWL_K} 0 0 1 ${CX - R} ${yT}Z`;
  const glaze = g.line(CX - R, 0, CX + R, 0, [
    [0, "#E9DCC8"],
    [0.1, "#FBF5EA"],
    [0.26, "#FFFEFB"],
    [0.5, "#F6EDDF"],
    [0.8, "#DDCBB3"],
    [0.95, "#C9B294"],
    [1, "#D6C3A8"],
  ]);
  const underside = g.line(CX - 14, yT + h * 0.36, CX + 12, yB, [
    [0, "#8A6A45", 0],
    [0.7, "#8A6A45", 0.16],
    [1, "#6B4A28", 0.36],
  ]);
  const shine = svg`M${CX - R * 0.76} ${yT + R * BOWL_K * 0.9 + 4}C${CX - R * 0.74} ${yT + h * 0.56} ${CX - R * 0.6} ${yT + h * 0.7} ${CX - R * 0.46} ${yT + h * 0.8}`;
  return (
    path(outline, `fill="${glaze}"`) +
    path(outline, `fill="${underside}"`) +
    path(
      shine,
      svg`fill="none" stroke="#fff" stroke-opacity=".8" stroke-width="${R * 0.07}" stroke-linecap="round"`,
    ) +
    path(nearArc(yT, R, BOWL_K), 'fill="none" stroke="#FFFFFF" stroke-width="2"')
  );
}
