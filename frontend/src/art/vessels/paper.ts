import { at, type Drawing, type Sleeve } from "../drink";
import { layerStops } from "../liquid/layers";
import { stream } from "../liquid/stream";
import type { Hex } from "../sheet/color";
import type { Palette } from "../sheet/palette";
import { contactShadow, nearArc, type Tub, tub } from "../sheet/shapes";
import { CX, clipped, ellipse, K, path, svg } from "../sheet/svg";
import { sipLid } from "../tops/sip-lid";
import { steam } from "../tops/steam";
import { surface } from "../tops/surface";
import { whip } from "../tops/whip";
import { getFootY } from "./clear";

/** Light, body, shade and dark shade of each sleeve. */
const SLEEVES: Readonly<Record<Sleeve, readonly [Hex, Hex, Hex, Hex]>> = {
  brown: ["#6A4735", "#523527", "#3B2419", "#301C13"],
  black: ["#3F3733", "#2B2523", "#1C1715", "#14100F"],
  kraft: ["#DDB98A", "#C79E69", "#A67D49", "#93693A"],
  sage: ["#9DA886", "#818D6A", "#656F50", "#565F43"],
  clay: ["#CF8563", "#B66A48", "#925033", "#7E4229"],
  red: ["#9A4A3C", "#7F3529", "#61241B", "#521C15"],
};

/** The geometry and colors of a paper cup. */
interface Cup {
  h: number;
  yT: number;
  rT: number;
  yB: number;
  rB: number;
  getRadius(y: number): number;
  /** Colors of the paper wall: light, body, shade, dark shade. */
  round(lit: Hex, body: Hex, shade: Hex, deep: Hex): string;
}

export function paperTub(size: number): Tub {
  const rT = at([51, 54, 57, 59], size);
  const rB = rT * 0.72;
  const yB = getFootY(rB);
  return { yT: yB - at([112, 134, 156, 176], size), rT, yB, rB };
}

function createCup({ g, p }: Drawing): Cup {
  const { yT, rT, yB, rB } = paperTub(p.size);
  const h = yB - yT;
  return {
    h,
    yT,
    rT,
    yB,
    rB,
    getRadius: (y) => rT + ((rB - rT) * (y - yT)) / h,
    round: (lit, body, shade, deep) =>
      g.line(CX - rT, 0, CX + rT, 0, [
        [0, body],
        [0.1, lit],
        [0.3, lit],
        [0.62, body],
        [0.86, shade],
        [0.96, deep],
        [1, shade],
      ]),
  };
}

/** A paper cup. The drink is visible at the top and through the window in the sleeve. */
export function paperCup(drawing: Drawing): string {
  const { g, p } = drawing;
  const cup = createCup(drawing);
  const { yT, rT, yB, rB, getRadius } = cup;
  const closed = p.lid !== "none";
  let out = contactShadow(g, rB, yB + rB * K * 0.55);
  out += mouth(drawing, cup, closed);
  out += path(
    tub({ yT, rT, yB, rB }, "front"),
    `fill="${cup.round("#FFFDF8", "#F4EBDD", "#DECDB6", "#D0BCA2")}"`,
  );
  // The fold at the bottom.
  out += path(
    nearArc(yB - 5, getRadius(yB - 5), K + 0.02),
    'fill="none" stroke="#A88D6D" stroke-opacity=".35" stroke-width="1"',
  );
  out += sleeve(drawing, cup) + rolledRim(g, yT, rT);
  if (closed) return out + sipLid(g, yT, rT);
  if (p.whip) return out + whip(drawing, yT + 4, rT - 8);
  return p.steam ? out + steam(g, yT - 10) : out;
}

function mouth(drawing: Drawing, { yT, rT, getRadius }: Cup, closed: boolean): string {
  const { g, p } = drawing;
  const wall = g.line(CX - rT, 0, CX + rT, 0, [
    [0, "#C9B59B"],
    [0.5, "#E6D8C4"],
    [1, "#FBF5EA"],
  ]);
  const out = ellipse(CX, yT, rT, rT * K, `fill="${wall}"`);
  if (closed) return out;
  const inside = g.clip(ellipse(CX, yT, rT - 1.5, (rT - 1.5) * K));
  const yLevel = yT + 4.5 + (1 - p.fill) * 30;
  const drink = p.fill > 0.1 ? clipped(inside, surface(drawing, yLevel, getRadius(yT + 4.5) - 2)) : "";
  const pouring = p.pour && p.fill > 0.03 && p.fill < 1;
  // The front wall hides the end of the stream.
  const thread = pouring ? stream(drawing, yT + rT * K * 0.7, p.pourFrom ?? Math.min(yT - 60, 14)) : "";
  return out + drink + thread;
}

function sleeve(drawing: Drawing, cup: Cup): string {
  const { yT, h, getRadius } = cup;
  const y0 = yT + h * 0.27;
  const y1 = yT + h * 0.78;
  const r0 = getRadius(y0) + 1.6;
  const r1 = getRadius(y1) + 1.6;
  const k1 = K + 0.01;
  const band = svg`M${CX - r0} ${y0}L${CX - r1} ${y1}A${r1} ${r1 * k1} 0 0 0 ${CX + r1} ${y1}L${CX + r0} ${y0}A${r0} ${r0 * K} 0 0 1 ${CX - r0} ${y0}Z`;
  return (
    path(band, `fill="${cup.round(...SLEEVES[drawing.p.sleeve ?? "brown"])}"`) +
    path(nearArc(y0, r0), 'fill="none" stroke="#fff" stroke-opacity=".3" stroke-width="1.2"') +
    path(nearArc(y1 + 1.2, r1, k1), 'fill="none" stroke="#6E4A27" stroke-opacity=".3" stroke-width="1.6"') +
    sightGlass(drawing, y0 + r0 * K + 9, y1 + r1 * K - 10)
  );
}

/** The window in the sleeve from `y0` to `y1`. */
function sightGlass({ g, p, layers }: Drawing, y0: number, y1: number): string {
  const half = 11;
  const x = CX - half;
  const h = y1 - y0;
  const pane = svg`x="${x}" y="${y0}" width="${half * 2}" height="${h}"`;
  const pill = (rest = "") => svg`<rect ${pane} rx="${half}"${rest}/>`;
  const yLevel = y1 - h * (p.fill >= 1 ? 1.1 : p.fill);
  const drink = g.line(0, y0 - 2, 0, y1 + 2, layerStops(layers));
  const shine = g.line(x, 0, CX + half, 0, [
    [0, "#2A1208", 0.3],
    [0.2, "#2A1208", 0.02],
    [0.26, "#fff", 0.4],
    [0.4, "#fff", 0.06],
    [0.7, "#2A1208", 0],
    [1, "#2A1208", 0.16],
  ]);
  const lintel = g.line(0, y0, 0, y0 + 10, [
    [0, "#2A1208", 0.3],
    [1, "#2A1208", 0],
  ]);
  const inside = [
    `<rect ${pane} fill="#EFE2CE"/>`,
    svg`<rect x="${x}" y="${yLevel}" width="${half * 2}" height="${y1 - yLevel + 2}" fill="${drink}"/>`,
    `<rect ${pane} fill="${shine}"/>`,
    svg`<rect x="${x}" y="${y0}" width="${half * 2}" height="10" fill="${lintel}"/>`,
  ].join("");
  return (
    pill(' fill="#5D3E22" fill-opacity=".55" transform="translate(-.8 -1)"') +
    clipped(g.clip(pill()), inside) +
    pill(' fill="none" stroke="#F7E6CB" stroke-opacity=".55" stroke-width="1" transform="translate(.6 .8)"')
  );
}

/** A ring, lit from the left. */
function rolledRim(g: Palette, yT: number, rT: number): string {
  const paint = g.line(CX - rT, yT - rT * K, CX + rT, yT + rT * K, [
    [0, "#FFFDF8"],
    [0.45, "#FFFFFF"],
    [0.7, "#EFE4D3"],
    [1, "#D5C1A6"],
  ]);
  const shade = svg`M${CX - rT * 0.97} ${yT + 4.6}A${rT * 0.98} ${rT * K} 0 0 0 ${CX + rT * 0.97} ${yT + 4.6}`;
  return (
    ellipse(CX, yT, rT - 0.4, rT * K, `fill="none" stroke="${paint}" stroke-width="4"`) +
    path(shade, 'fill="none" stroke="#8D6C49" stroke-opacity=".22" stroke-width="1.2"')
  );
}
