import { at, type Drawing } from "../drink";
import type { Tub } from "../sheet/shapes";
import { steam } from "../tops/steam";
import { surface } from "../tops/surface";
import { whip } from "../tops/whip";
import { clearVessel, getFootY } from "./clear";

const WALL = 3.4;

export function tumblerTub(size: number): Tub {
  const rT = at([44, 46, 48, 50], size);
  const rB = rT * 0.8;
  const yB = getFootY(rB);
  return { yT: yB - at([84, 96, 108, 120], size), rT, yB, rB };
}

/** A small faceted glass, for cortados and iced drinks for here. */
export function tumbler(drawing: Drawing): string {
  const { g, p } = drawing;
  const { yT, rT, yB, rB } = tumblerTub(p.size);
  const shape = { yT, rT, yB, rB, wall: WALL, brim: 0.13, floor: 9 };
  const { back, wet, light, rim, glass } = clearVessel(drawing, shape, {
    open: p.iced ?? false,
    facets: true,
  });
  let out = back + wet;
  if (!p.iced && p.fill >= 1) out += surface(drawing, glass.yLevel, glass.getRadius(glass.yLevel) - WALL);
  out += light + rim;
  if (p.whip) out += whip(drawing, yT + 7, rT - 7);
  else if (p.steam && !p.iced) out += steam(g, yT - 6);
  return out;
}
