import type { Palette } from "../sheet/palette";
import { nearArc } from "../sheet/shapes";
import { CX, ellipse, K, path, svg } from "../sheet/svg";

/** The band with which a clear lid grips the rim. */
function band(g: Palette, yT: number, r: number): string {
  const data = svg`M${CX - r} ${yT - 3}L${CX - r} ${yT + 5}A${r} ${r * K} 0 0 0 ${CX + r} ${yT + 5}L${CX + r} ${yT - 3}A${r} ${r * K} 0 0 1 ${CX - r} ${yT - 3}Z`;
  const paint = g.line(CX - r, 0, CX + r, 0, [
    [0, "#fff", 0.55],
    [0.12, "#fff", 0.85],
    [0.24, "#fff", 0.5],
    [0.7, "#F1E7D8", 0.42],
    [0.94, "#fff", 0.7],
    [1, "#D9C9B2", 0.6],
  ]);
  const edge = path(nearArc(yT + 5, r), 'fill="none" stroke="#7A5A3E" stroke-opacity=".22" stroke-width="1"');
  return path(data, `fill="${paint}"`) + edge;
}

/** A flat clear lid on a rim of radius `rT` at `yT`, with a hole where there is a straw. */
export function flatLid(g: Palette, yT: number, rT: number, hole: boolean): string {
  const r = rT + 3.5;
  const paint = g.line(CX - r, yT - 18, CX + r, yT + 14, [
    [0, "#fff", 0.62],
    [0.36, "#fff", 0.22],
    [0.7, "#EADDCB", 0.2],
    [1, "#fff", 0.44],
  ]);
  let out = band(g, yT, r) + ellipse(CX, yT - 3, r, r * K, `fill="${paint}"`);
  out += path(nearArc(yT - 3, r), 'fill="none" stroke="#fff" stroke-opacity=".95" stroke-width="1.6"');
  out += path(
    svg`M${CX - r} ${yT - 3}A${r} ${r * K} 0 0 1 ${CX + r} ${yT - 3}`,
    'fill="none" stroke="#fff" stroke-opacity=".6" stroke-width="1"',
  );
  out += path(
    nearArc(yT - 5, r - 9),
    'fill="none" stroke="#fff" stroke-opacity=".6" stroke-width="2.2" stroke-linecap="round"',
  );
  if (hole) {
    out += ellipse(
      CX + 21,
      yT - 4,
      7,
      2.1,
      'fill="#3B2213" fill-opacity=".16" stroke="#fff" stroke-opacity=".8" stroke-width=".8"',
    );
  }
  return out;
}

/** A clear dome with an opening at its top. */
export function domeLid(g: Palette, yT: number, rT: number): string {
  const r = rT + 3.5;
  const h = rT * 0.8;
  const dome = svg`M${CX - r + 4} ${yT - 2}C${CX - r + 5} ${yT - h * 0.74} ${CX - r * 0.5} ${yT - h} ${CX - 15} ${yT - h}A15 4 0 0 0 ${CX + 15} ${yT - h}C${CX + r * 0.5} ${yT - h} ${CX + r - 5} ${yT - h * 0.74} ${CX + r - 4} ${yT - 2}A${r - 4} ${(r - 4) * K} 0 0 1 ${CX - r + 4} ${yT - 2}Z`;
  const paint = g.line(CX - r, yT - h, CX + r, yT, [
    [0, "#fff", 0.5],
    [0.22, "#fff", 0.16],
    [0.6, "#fff", 0.06],
    [0.9, "#D8C6AE", 0.22],
    [1, "#fff", 0.3],
  ]);
  const shine = svg`M${CX - r * 0.78} ${yT - 12}C${CX - r * 0.74} ${yT - h * 0.62} ${CX - r * 0.52} ${yT - h * 0.84} ${CX - r * 0.34} ${yT - h * 0.9}`;
  return (
    path(dome, `fill="${paint}" stroke="#fff" stroke-opacity=".8" stroke-width="1.2"`) +
    band(g, yT, r) +
    ellipse(
      CX,
      yT - h,
      15,
      4,
      'fill="#3B2213" fill-opacity=".12" stroke="#fff" stroke-opacity=".95" stroke-width="1.6"',
    ) +
    path(shine, 'fill="none" stroke="#fff" stroke-opacity=".85" stroke-width="3.4" stroke-linecap="round"')
  );
}
