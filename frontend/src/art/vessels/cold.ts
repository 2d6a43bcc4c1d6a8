import { at, type Drawing } from "../drink";
import { bottomLayer, topLayer } from "../liquid/layers";
import { luma } from "../sheet/color";
import { mark, type Tub } from "../sheet/shapes";
import { CX } from "../sheet/svg";
import { domeLid, flatLid } from "../tops/clear-lid";
import { getStrawTop, straw } from "../tops/straw";
import { whip } from "../tops/whip";
import { clearVessel, getFootY } from "./clear";

export function coldTub(size: number): Tub {
  const rT = at([53, 56, 59, 61], size);
  const rB = rT * 0.71;
  const yB = getFootY(rB);
  return { yT: yB - at([122, 143, 164, 184], size), rT, yB, rB };
}

/** The clear cup for cold drinks, with flat or domed lid. */
export function coldCup(drawing: Drawing): string {
  const { g, p, layers } = drawing;
  const { yT, rT, yB, rB } = coldTub(p.size);
  const h = yB - yT;
  const domed = p.lid === "dome";
  const headroom = p.lid === "none" ? 0.13 : 0.15;
  const brim = p.whip ? 0.1 : headroom;
  const shape = { yT, rT, yB, rB, wall: 2.6, brim, floor: 5 };
  const vessel = clearVessel(drawing, shape, { open: true });
  let top = "";
  if (p.whip) {
    if (p.straw) top += straw(g, CX + 6, getStrawTop(yT, p), yT - 20, -0.06);
    top += whip(drawing, yT + (domed ? 9 : 6), (rT - 7) * (domed ? 0.88 : 1));
  }
  if (p.lid === "flat") top += flatLid(g, yT, rT, p.straw ?? false);
  if (domed) top += domeLid(g, yT, rT);
  const pale = luma(bottomLayer(layers).color) > 0.7 && luma(topLayer(layers).color) > 0.7;
  const seal = p.detail === "small" ? "" : mark(CX - 1, yT + h * 0.66, 7.5, "#fff", pale ? 0.85 : 0.5);
  const rim = p.lid === "flat" ? "" : vessel.rim;
  return vessel.back + vessel.wet + vessel.light + seal + rim + top;
}
