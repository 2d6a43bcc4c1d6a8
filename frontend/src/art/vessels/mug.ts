import { at, type Drawing } from "../drink";
import { contactShadow, nearArc } from "../sheet/shapes";
import { BASE, CX, clipped, ellipse, K, path, svg } from "../sheet/svg";
import { steam } from "../tops/steam";
import { surface } from "../tops/surface";
import { whip } from "../tops/whip";

interface Body {
  R: number;
  rB: number;
  h: number;
  yT: number;
  yB: number;
  /** Height at which the glaze ends above the raw clay foot. */
  yGlaze: number;
}

function createBody({ p }: Drawing): Body {
  const R = at([48, 52, 56, 58], p.size);
  const h = at([88, 102, 116, 126], p.size);
  const rB = R * 0.94;
  const yB = BASE - rB * K;
  return { R, rB, h, yT: yB - h, yB, yGlaze: yB - 14 };
}

/** Stoneware mug: glazed to a line above the raw clay foot. */
export function mug(drawing: Drawing): string {
  const { g, p } = drawing;
  const body = createBody(drawing);
  const { R, rB, yT, yB } = body;
  let out = contactShadow(g, rB, yB + rB * K * 0.55);
  out += handle(body) + mouth(drawing, body) + wall(drawing, body);
  out += speckles(drawing, body);
  out += path(
    svg`M${CX - R * 0.74} ${yT + R * K + 8}L${CX - R * 0.74} ${yB - 26}`,
    'stroke="#fff" stroke-opacity=".6" stroke-width="5" stroke-linecap="round"',
  );
  out += path(nearArc(yT, R), 'fill="none" stroke="#FBF5EA" stroke-width="2.2"');
  if (p.whip) return out + whip(drawing, yT + 4, R - 11);
  return p.steam ? out + steam(g, yT - 10) : out;
}

function handle({ R, yT, h }: Body): string {
  const x = CX + R - 3;
  const data = svg`M${x} ${yT + h * 0.22}C${x + 34} ${yT + h * 0.14} ${x + 40} ${yT + h * 0.34} ${x + 36} ${yT + h * 0.5}C${x + 32} ${yT + h * 0.68} ${x + 16} ${yT + h * 0.74} ${x - 2} ${yT + h * 0.74}`;
  const line = 'fill="none" stroke-linecap="round"';
  return (
    path(data, `${line} stroke="#9C8467" stroke-width="13" transform="translate(1.4 1.6)"`) +
    path(data, `${line} stroke="#D3C2AB" stroke-width="12"`) +
    path(data, `${line} stroke="#F4EBDD" stroke-width="4" transform="translate(-1.4 -2.4)"`)
  );
}

function mouth(drawing: Drawing, { R, yT, h }: Body): string {
  const { g, p } = drawing;
  const inner = R - 5;
  const lining = g.line(CX - R, 0, CX + R, 0, [
    [0, "#A89174"],
    [0.5, "#C9B69C"],
    [1, "#EFE4D4"],
  ]);
  const inside = g.clip(ellipse(CX, yT + 0.5, inner, inner * K));
  const yLevel = yT + 6 + (1 - p.fill) * h * 0.24;
  const drink = p.fill > 0.1 ? surface(drawing, yLevel, inner - 0.5) : "";
  return (
    ellipse(CX, yT, R, R * K, `fill="${lining}"`) +
    clipped(inside, drink) +
    ellipse(CX, yT, R - 1.6, (R - 1.6) * K, 'fill="none" stroke="#F3EADC" stroke-width="4.4"')
  );
}

function wall({ g }: Drawing, { R, rB, yT, yB, yGlaze: yG }: Body): string {
  const outline = svg`M${CX - R} ${yT}L${CX - R} ${yB - 16}C${CX - R} ${yB - 4} ${CX - rB} ${yB} ${CX - rB} ${yB}A${rB} ${rB * K} 0 0 0 ${CX + rB} ${yB}C${CX + rB} ${yB} ${CX + R} ${yB - 4} ${CX + R} ${yB - 16}L${CX + R} ${yT}A${R} ${R * K} 0 0 1 ${CX - R} ${yT}Z`;
  // The uneven edge of the glaze.
  const dipped = svg`M${CX - R} ${yT}L${CX - R} ${yG}C${CX - R * 0.6} ${yG + R * K + 3} ${CX - R * 0.2} ${yG + R * K - 3} ${CX} ${yG + R * K + 1}C${CX + R * 0.3} ${yG + R * K + 3} ${CX + R * 0.7} ${yG + R * K - 3} ${CX + R} ${yG}L${CX + R} ${yT}A${R} ${R * K} 0 0 1 ${CX - R} ${yT}Z`;
  const clay = g.line(CX - R, 0, CX + R, 0, [
    [0, "#9E7450"],
    [0.24, "#C79A70"],
    [0.6, "#AB7F57"],
    [1, "#74502F"],
  ]);
  const glaze = g.line(CX - R, 0, CX + R, 0, [
    [0, "#CDBBA4"],
    [0.1, "#E8DCCA"],
    [0.26, "#F6EEE1"],
    [0.5, "#E6D9C6"],
    [0.82, "#BFAA8F"],
    [0.95, "#A48D70"],
    [1, "#B49D80"],
  ]);
  return path(outline, `fill="${clay}"`) + path(dipped, `fill="${glaze}"`);
}

/** Speckles in the glaze. */
function speckles({ p, scatter }: Drawing, { R, h, yT, yGlaze }: Body): string {
  if (p.detail === "small") return "";
  const random = scatter("speckles");
  let out = "";
  for (let i = 0; i < 46; i++) {
    const across = random() * 1.86 - 0.93;
    const bulge = Math.sqrt(1 - across * across) * R * K;
    const y = yT + 14 + random() * (h - 30) + bulge * 0.7;
    if (y > yGlaze + bulge - 4) continue;
    out += ellipse(
      CX + across * R,
      y,
      0.5 + random() * 0.8,
      0.4 + random() * 0.7,
      'fill="#7A5B3C" fill-opacity=".4"',
    );
  }
  return out;
}
