import type { Drawing } from "../drink";
import { iceCubes } from "../ice";
import { clouds, glow, slush } from "../liquid/clouds";
import { foamBand } from "../liquid/foam";
import { fruitSlices } from "../liquid/fruit";
import { type Glass, type GlassShape, measure } from "../liquid/glass";
import { findLayer, layerStops, topLayer } from "../liquid/layers";
import { stream } from "../liquid/stream";
import { darker, lighter, luma } from "../sheet/color";
import { contactShadow, nearArc, tub } from "../sheet/shapes";
import { BASE, CX, clipped, ellipse, K, path } from "../sheet/svg";
import { wallDrizzle } from "../tops/drizzle";
import { droplets, facets, glassLight, rimLight } from "../tops/glass-light";
import { sprinkle } from "../tops/sprinkle";
import { getStrawTop, straw } from "../tops/straw";

export interface ClearOptions {
  /** Draws drizzle on the inner wall and toppings on the surface; otherwise the caller draws the surface. */
  open: boolean;
  facets?: boolean;
}

/** The parts of a filled clear vessel in drawing order. */
export interface ClearVessel {
  back: string;
  wet: string;
  light: string;
  rim: string;
  glass: Glass;
}

/** The y coordinate of the bottom of a round vessel with radius `r`. */
export const getFootY = (r: number): number => BASE - r * (K + 0.02);

/** Draws a clear vessel: the cold cup, the tumbler and the glass of the parfait. */
export function clearVessel(drawing: Drawing, shape: GlassShape, options: ClearOptions): ClearVessel {
  const { g } = drawing;
  const glass = measure(drawing, shape);
  const { yT, rT, yB, rB } = shape;
  let back = contactShadow(g, rB, yB + rB * K * 0.55);
  const wall = g.line(0, yT, 0, yB, [
    [0, "#fff", 0.34],
    [1, "#fff", 0.16],
  ]);
  back += path(tub(shape), `fill="${wall}"`);
  back += ellipse(
    CX,
    yT,
    rT - 1,
    (rT - 1) * K,
    'fill="#3B2213" fill-opacity=".05" stroke="#fff" stroke-opacity=".8" stroke-width="1.8"',
  );
  let light = glassLight(g, tub(shape, "front"), rT);
  light += path(nearArc(yB, rB - 2), 'fill="none" stroke="#fff" stroke-opacity=".55" stroke-width="1.6"');
  light += path(
    nearArc(yB - 3, rB * 0.92),
    'fill="none" stroke="#2A1208" stroke-opacity=".16" stroke-width="1.2"',
  );
  if (options.facets) light += facets(glass);
  if (drawing.p.iced && drawing.p.detail !== "small") light += droplets(drawing, glass);
  return { back, wet: contents(drawing, glass, options), light, rim: rimLight(g, yT, rT), glass };
}

/** The liquid with ice, fruit, straw and stream. */
function contents(drawing: Drawing, glass: Glass, { open }: ClearOptions): string {
  const { g, p, layers, scatter } = drawing;
  const { yLevel, yFloor, yFull, rIn, rLevel, rB } = glass;
  const inner = { yT: yLevel, rT: rLevel, yB: yFloor, rB: rIn(yFloor) };
  const body = tub(inner);
  const top = topLayer(layers);
  const covered = top.foam && p.fill >= 1;
  // The gradient covers the full drink, so that layers stay in place while it fills.
  const paint = g.line(0, yFull, 0, yFloor + rB * K, layerStops(layers));
  const inside = g.clip(path(body));
  const ice = iceCubes(drawing, glass);

  let submerged = p.detail === "small" ? "" : clouds(drawing, glass);
  submerged += covered ? `<g opacity=".4">${ice.floating}</g>${ice.sunk}` : ice.sunk;
  submerged += glow(drawing, glass, body);
  if (covered && top.edge === "sharp") submerged += foamBand(drawing, top, glass);
  // Light reflected from the back of the base.
  const lift = luma(top.color) < 0.45 ? 0.1 : 0.2;
  submerged += ellipse(
    CX,
    yFloor + 1,
    rIn(yFloor) * 0.98,
    rIn(yFloor) * K,
    `fill="#fff" fill-opacity="${lift}"`,
  );
  if (p.drizzle && open) submerged += wallDrizzle(drawing, p.drizzle, glass);

  let out = path(body, `fill="${paint}"`) + clipped(inside, submerged);
  const wetted = p.fill > 0.03;
  if (wetted) out += openSurface(drawing, glass);
  if (p.topping && !p.whip && open) {
    const skin = g.clip(ellipse(CX, yLevel, rLevel, rLevel * K));
    const flakes = sprinkle(p.topping, CX, yLevel, rLevel * 0.8, rLevel * K * 0.8, scatter("topping"), 70);
    out += clipped(skin, flakes);
  }
  if (p.blended) out += clipped(inside, slush(drawing, glass));
  if (p.straw && !p.whip) {
    out += straw(g, CX + 17, getStrawTop(glass.yT, p), yLevel + rLevel * K * 0.2, -0.08);
  }
  if (p.pour && wetted && p.fill < 1) {
    out += stream(drawing, yLevel, p.pourFrom ?? Math.min(glass.yT - 60, 14));
  }
  if (ice.floating && !covered) out += afloat(drawing, glass, ice.floating, tub(inner, "front"), paint);
  if (p.fruit) out += clipped(inside, fruitSlices(drawing, p.fruit, glass));
  if (wetted) {
    out += path(nearArc(yLevel, rLevel), 'fill="none" stroke="#fff" stroke-opacity=".42" stroke-width="1.2"');
  }
  return out;
}

function openSurface({ g, p, layers }: Drawing, { yLevel, rLevel }: Glass): string {
  const color = (p.fill < 1 ? findLayer(layers, p.fill) : topLayer(layers)).skin;
  const milky = luma(color) > 0.72;
  const paint = g.disc(
    CX - rLevel * 0.25,
    yLevel - 2,
    rLevel * 1.2,
    [
      [0, lighter(color, milky ? 0.5 : 0.2)],
      [0.7, color],
      [1, darker(color, milky ? 0.05 : 0.2)],
    ],
    K,
  );
  return ellipse(CX, yLevel, rLevel, rLevel * K, `fill="${paint}"`);
}

/** Floating cubes. The liquid covers their lower half.  */
function afloat({ g }: Drawing, glass: Glass, cubes: string, front: string, paint: string): string {
  const { yT, rT, yB, yFloor, rIn } = glass;
  const within = g.clip(path(tub({ yT: yT - 30, rT: rT + 2, yB, rB: rIn(yFloor) })));
  const veil = clipped(g.clip(path(front)), path(front, `fill="${paint}" opacity=".5"`));
  return clipped(within, cubes) + veil;
}
