import type { Drawing } from "../drink";
import { secondLayer, topLayer, visibleLayers } from "../liquid/layers";
import { darker, type Hex, lighter, luma, mix } from "../sheet/color";
import { CX, clipped, ellipse, K, path, svg } from "../sheet/svg";
import { drizzleOn } from "./drizzle";
import { latteArt } from "./latte-art";
import { sprinkle } from "./sprinkle";

/** The colors of a surface with latte art. */
interface Skin {
  middle: Hex;
  edge: Hex;
  art: string;
}

function createSkin({ p, layers }: Drawing, cy: number, r: number, ry: number): Skin {
  const poured = visibleLayers(layers, p.fill);
  const top = topLayer(poured);
  const under = secondLayer(poured);
  if (!top.milky) return { middle: top.skin, edge: darker(top.skin, 0.3), art: "" };
  if (!p.latteArt || p.latteArt === "none") {
    return { middle: top.skin, edge: darker(mix(top.skin, under.color, 0.72), 0.1), art: "" };
  }
  // The crema has a richer color than the drink.
  const middle = darker(under.color, luma(under.color) > 0.7 ? 0.16 : 0.06);
  const [wide, deep] = p.latteArt === "rosetta" ? [0.92, 0.94] : [0.7, 0.8];
  const foam = lighter(top.skin, 0.3);
  const art = svg`<g transform="translate(${CX} ${cy - r * 0.035}) scale(${r * wide} ${ry * deep})" fill="${foam}" color="${foam}">${latteArt(p.latteArt, middle)}</g>`;
  return { middle, edge: darker(middle, 0.34), art };
}

/** The marbling of crema on espresso. */
function crema({ scatter }: Drawing, cy: number, r: number, ry: number): string {
  const random = scatter("crema");
  let out = "";
  for (let i = 0; i < 26; i++) {
    const angle = random() * 6.28;
    const distance = Math.sqrt(random()) * 0.86;
    out += ellipse(
      CX + Math.cos(angle) * distance * r,
      cy + Math.sin(angle) * distance * ry,
      1 + random() * 4,
      0.4 + random() * 0.7,
      `fill="${random() > 0.5 ? "#D9A066" : "#7B4420"}" fill-opacity=".5"`,
    );
  }
  return out;
}

/** Bubbles at the left edge of a clear drink, and the reflection of a window. */
function reflections({ scatter }: Drawing, clip: string, cy: number, r: number, ry: number): string {
  const random = scatter("bubbles");
  let out = "";
  for (let i = 0; i < 9; i++) {
    const angle = 2.2 + random() * 1.5;
    out += ellipse(
      CX + Math.cos(angle) * r * 0.92,
      cy + Math.sin(angle) * ry * 0.9,
      0.7 + random() * 1.3,
      0.5 + random() * 0.6,
      'fill="none" stroke="#fff" stroke-opacity=".4" stroke-width=".6"',
    );
  }
  const pane = svg`M${CX - r * 0.72} ${cy - ry * 0.1}Q${CX - r * 0.5} ${cy - ry * 0.72} ${CX + r * 0.06} ${cy - ry * 0.78}L${CX - r * 0.08} ${cy - ry * 0.4}Q${CX - r * 0.44} ${cy - ry * 0.36} ${CX - r * 0.72} ${cy - ry * 0.1}Z`;
  return out + clipped(clip, path(pane, 'fill="#fff" fill-opacity=".16"'));
}

/** The surface of a drink at height `cy`; `k` is the flattening of the vessel. */
export function surface(drawing: Drawing, cy: number, r: number, k = K): string {
  const { g, p, layers, scatter } = drawing;
  const top = topLayer(visibleLayers(layers, p.fill));
  const ry = r * k;
  const clip = g.clip(ellipse(CX, cy, r, ry));
  const { middle, edge, art } = createSkin(drawing, cy, r, ry);
  const paint = g.disc(
    CX - r * 0.2,
    cy - ry * 0.1,
    r * 1.15,
    [
      [0, lighter(middle, 0.14)],
      [0.62, middle],
      [0.84, mix(middle, edge, 0.35)],
      [1, edge],
    ],
    K,
  );
  let out = ellipse(CX, cy, r, ry, `fill="${paint}"`);
  if (art) out += clipped(clip, art);
  if (top.name === "espresso") out += crema(drawing, cy, r, ry);
  if (!top.milky) {
    out += reflections(drawing, clip, cy, r, ry);
  } else if (!art) {
    const sheen = 'fill="#fff" fill-opacity=".5"';
    out += clipped(clip, ellipse(CX - r * 0.3, cy - ry * 0.35, r * 0.42, ry * 0.26, sheen));
  }
  if (p.whip) return out;
  if (p.drizzle) out += clipped(clip, drizzleOn(p.drizzle, cy, r * 0.8, ry * 0.8));
  if (p.topping) {
    const flakes = sprinkle(p.topping, CX, cy, r * 0.74, ry * 0.74, scatter("topping"), 64);
    out += clipped(clip, flakes);
  }
  return out;
}
