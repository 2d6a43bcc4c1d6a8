import { at, type Drawing } from "../drink";
import { layerStops, topLayer } from "../liquid/layers";
import { contactShadow, mark } from "../sheet/shapes";
import { BASE, CX, clipped, ellipse, K, path, svg } from "../sheet/svg";
import { dropsBetween, glassLight } from "../tops/glass-light";

interface Body {
  /** Scale of the whole bottle. */
  s: number;
  R: number;
  neck: number;
  yT: number;
  yB: number;
  yShoulder: number;
}

function createBody({ p }: Drawing): Body {
  const s = at([0.84, 0.92, 1, 1.06], p.size);
  const R = 40 * s;
  const yB = BASE - R * K;
  const yT = yB - 176 * s;
  return { s, R, neck: 19 * s, yT, yB, yShoulder: yT + 74 * s };
}

/** The outline with an inset. */
function outline({ s, R, neck, yT, yB, yShoulder }: Body, inset: number): string {
  const r = R - inset;
  const n = neck - inset;
  const yFoot = yB - inset * 1.6;
  return svg`M${CX - n} ${yT}L${CX - n} ${yT + 26 * s}C${CX - n} ${yT + 50 * s} ${CX - r} ${yT + 48 * s} ${CX - r} ${yShoulder}L${CX - r} ${yFoot}A${r} ${r * K} 0 0 0 ${CX + r} ${yFoot}L${CX + r} ${yShoulder}C${CX + r} ${yT + 48 * s} ${CX + n} ${yT + 50 * s} ${CX + n} ${yT + 26 * s}L${CX + n} ${yT}Z`;
}

/** A glass bottle with a paper label and a dark cap. */
export function bottle(drawing: Drawing): string {
  const { g, p, layers } = drawing;
  const body = createBody(drawing);
  const { s, R, neck, yT, yB, yShoulder } = body;
  const yLevel = yT + 9 * s;
  const glass = g.line(0, yT, 0, yB, [
    [0, "#fff", 0.5],
    [1, "#fff", 0.25],
  ]);
  const drink = g.line(0, yLevel, 0, yB, layerStops(layers));
  const below = g.clip(svg`<rect x="0" y="${yLevel}" width="240" height="300"/>`);
  let out = contactShadow(g, R, yB + R * K * 0.55);
  out += path(outline(body, 0), `fill="${glass}"`);
  out += clipped(below, path(outline(body, 2.6), `fill="${drink}"`));
  out += ellipse(CX, yLevel, neck - 2.6, (neck - 2.6) * K, `fill="${topLayer(layers).skin}"`);
  out += glassLight(g, outline(body, 0), R, 1.05) + label(drawing, body);
  out += path(
    svg`M${CX - R * 0.66} ${yShoulder + 4}L${CX - R * 0.66} ${yB - 8}`,
    'stroke="#fff" stroke-opacity=".5" stroke-width="4" stroke-linecap="round"',
  );
  out += cap(drawing, body);
  const cold = p.iced && p.detail !== "small";
  return cold ? out + dropsBetween(drawing, 12, yShoulder, yB, () => R) : out;
}

function label({ g }: Drawing, { s, R, yB, yShoulder }: Body): string {
  const y0 = yShoulder + 14 * s;
  const y1 = yB - 22 * s;
  const middle = (y0 + y1) / 2 + R * K;
  const paper = g.line(CX - R, 0, CX + R, 0, [
    [0, "#E2D3BD"],
    [0.2, "#FFFDF8"],
    [0.5, "#F8F0E3"],
    [0.86, "#DFCEB6"],
    [1, "#CBB698"],
  ]);
  const band = svg`M${CX - R} ${y0}L${CX - R} ${y1}A${R} ${R * K} 0 0 0 ${CX + R} ${y1}L${CX + R} ${y0}A${R} ${R * K} 0 0 1 ${CX - R} ${y0}Z`;
  return (
    path(band, `fill="${paper}"`) +
    mark(CX - 1, middle - 4, 8 * s, "#4A2E1D") +
    svg`<rect x="${CX - 13}" y="${middle + 12}" width="26" height="2.4" rx="1.2" fill="#4A2E1D" fill-opacity=".45"/>`
  );
}

function cap({ g }: Drawing, { s, neck, yT }: Body): string {
  const r = neck + 2.6;
  const y0 = yT - 14 * s;
  const side = g.line(CX - r, 0, CX + r, 0, [
    [0, "#3A261B"],
    [0.24, "#6B4A38"],
    [0.6, "#452E22"],
    [1, "#23150E"],
  ]);
  const top = g.line(CX - r, y0 - 4, CX + r, y0 + 4, [
    [0, "#7A5846"],
    [1, "#3D281D"],
  ]);
  return (
    path(
      svg`M${CX - r} ${y0}L${CX - r} ${yT + 4}A${r} ${r * K} 0 0 0 ${CX + r} ${yT + 4}L${CX + r} ${y0}Z`,
      `fill="${side}"`,
    ) + ellipse(CX, y0, r, r * K, `fill="${top}"`)
  );
}
