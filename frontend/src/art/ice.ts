import type { Drawing, Ice } from "./drink";
import type { Glass } from "./liquid/glass";
import { findLayer, secondLayer, topLayer } from "./liquid/layers";
import { blend, type Hex, luma, mix } from "./sheet/color";
import { CX, fine, path, svg } from "./sheet/svg";

type Vector = readonly [x: number, y: number, z: number];

/** The position of a cube and its rotation about each axis in radians. */
interface Pose {
  x: number;
  y: number;
  /** Half of an edge. */
  s: number;
  rotation: Vector;
}

const CUBES: Record<Ice, number> = { none: 0, light: 3, regular: 7, extra: 10 };

/** Positions by rows: across (-1 to 1) and below the surface. The first row floats. */
const PLACES: readonly (readonly [across: number, down: number, row: 0 | 1 | 2 | 3])[] = [
  [-0.62, 1, 0],
  [0.66, -1, 0],
  [0.06, 7, 0],
  [-0.1, 28, 1],
  [0.74, 32, 1],
  [-0.7, 40, 2],
  [0.3, 52, 2],
  [-0.34, 72, 3],
  [0.66, 74, 3],
  [0.1, 92, 3],
];

/** The opacity of cubes by row. Deeper cubes are less visible. */
const CLARITY = [0.94, 0.4, 0.28, 0.18] as const;

function rotated([x, y, z]: Vector, [ax, ay, az]: Vector): Vector {
  const x1 = x * Math.cos(ay) + z * Math.sin(ay);
  const z1 = -x * Math.sin(ay) + z * Math.cos(ay);
  const y2 = y * Math.cos(ax) - z1 * Math.sin(ax);
  const z2 = y * Math.sin(ax) + z1 * Math.cos(ax);
  return [x1 * Math.cos(az) - y2 * Math.sin(az), x1 * Math.sin(az) + y2 * Math.cos(az), z2];
}

/** The six faces of the unit cube: normal and corners. */
const FACES: readonly { normal: Vector; corners: readonly Vector[] }[] = [0, 1, 2].flatMap((axis) =>
  [-1, 1].map((side) => {
    const place = (u: number, v: number): Vector => {
      const around = [side, u, v] as const;
      const along = (i: 0 | 1 | 2) => around[(i - axis + 3) % 3] ?? 0;
      return [along(0), along(1), along(2)];
    };
    return {
      normal: place(0, 0),
      corners: [place(-1, -1), place(1, -1), place(1, 1), place(-1, 1)],
    };
  }),
);

interface Material {
  /** The color of the liquid around the cube. */
  ink: Hex;
  frost: Hex;
  /** The opacity of the whole cube. */
  clarity: number;
  /** Above the surface, where light makes ice milky. */
  isFloating: boolean;
}

/**
 * A cube, lit from the upper left. Its faces are opaque mixes of `ink` and `frost`, so that cubes hide each other. Small
 * drawings have no reflections.
 */
function cube(
  { x, y, s, rotation }: Pose,
  { ink, frost, clarity, isFloating }: Material,
  small: boolean,
): string {
  let out = "";
  for (const { normal, corners } of FACES) {
    const [nx, ny, nz] = rotated(normal, rotation);
    if (nz <= 0.04) continue;
    const light = Math.max(0, Math.min(1, -nx * 0.42 - ny * 0.8 + nz * 0.3));
    const points = corners.map((corner) => {
      const [px, py] = rotated(corner, rotation);
      return { x: x + px * s, y: y + py * s };
    });
    const middle = {
      x: points.reduce((sum, point) => sum + point.x / 4, 0),
      y: points.reduce((sum, point) => sum + point.y / 4, 0),
    };
    const shrunk = (t: number) =>
      `M${points.map((at) => svg`${at.x + (middle.x - at.x) * t} ${at.y + (middle.y - at.y) * t}`).join("L")}Z`;
    const isBright = light > 0.45;
    const color = mix(ink, frost, isFloating ? 0.2 + light * 0.76 : 0.16 + light * 0.34);
    out += path(shrunk(0.1), `fill="${color}" stroke="${color}" stroke-width="4"`);
    if (isFloating) {
      // The faces differ in light, without outlines. An inner pane shows how thick the ice is.
      out += path(shrunk(0.36), `fill="${isBright ? frost : ink}" opacity="${isBright ? ".55" : ".2"}"`);
      continue;
    }
    // Clear ice: the liquid shines through, and only the edges and one corner of each face are bright.
    out += path(
      shrunk(0.06),
      `fill="none" stroke="${frost}" stroke-width="1.1" opacity="${isBright ? ".9" : ".5"}"`,
    );
    if (light > 0.3 && !small)
      out += path(glint(points, middle), `fill="${frost}" opacity="${fine(0.3 + light * 0.45)}"`);
  }
  return `<g opacity="${fine(clarity)}" stroke-width="3" stroke-linejoin="round">${out}</g>`;
}

type Corner = { x: number; y: number };

/** A reflection in the upper left corner of a face. */
function glint(points: readonly Corner[], middle: Corner): string {
  const corner = points.reduce((best, point) => (point.x + point.y < best.x + best.y ? point : best));
  const at = ({ x, y }: Corner, t: number): Corner => ({
    x: middle.x + (x - middle.x) * t,
    y: middle.y + (y - middle.y) * t,
  });
  const index = points.indexOf(corner);
  const [before, after] = [points[(index + 3) % 4] ?? middle, points[(index + 1) % 4] ?? middle];
  const from = at(corner, 0.78);
  const toward = (point: Corner, t: number): Corner => {
    const end = at(point, 0.78);
    return { x: from.x + (end.x - from.x) * t, y: from.y + (end.y - from.y) * t };
  };
  const [left, right] = [toward(before, 0.62), toward(after, 0.38)];
  return svg`M${left.x} ${left.y}L${from.x} ${from.y}L${right.x} ${right.y}Q${from.x + (middle.x - from.x) * 0.3} ${from.y + (middle.y - from.y) * 0.3} ${left.x} ${left.y}Z`;
}

/** The ice of a drink: floating cubes and sunken cubes. */
export interface IceCubes {
  floating: string;
  sunk: string;
}

/** The color of the liquid around a cube. */
function getInk({ layers, p }: Drawing, { yFloor, yFull }: Glass, y: number): Hex {
  const height = Math.max(0.01, Math.min(p.fill, (yFloor - y) / (yFloor - yFull)));
  const here = findLayer(layers, height);
  const { color, tint, glow } = here.foam ? secondLayer(layers) : here;
  return luma(color) < 0.45 ? blend(glow ?? tint, color, 0.45) : blend(color, tint, 0.3);
}

/** Draws the cubes in the color of their depth. Under foam there are fewer cubes, and none float. */
export function iceCubes(drawing: Drawing, glass: Glass): IceCubes {
  const { p, scatter, layers } = drawing;
  const random = scatter("ice");
  const top = topLayer(layers);
  const covered = top.foam && p.fill >= 1;
  const count = p.iced ? CUBES[p.ice] : 0;
  const start = covered ? glass.yLevel + (glass.yFloor - glass.yFull) * top.part + 12 : glass.yLevel;
  const surface = getInk(drawing, glass, glass.yLevel);
  const dark = luma(surface) < 0.3;
  const small = p.detail === "small";
  const cubes: IceCubes = { floating: "", sunk: "" };
  for (const [across, down, row] of PLACES.slice(0, covered ? Math.min(count, 5) : count)) {
    const s = 12.6 * (0.92 + random() * 0.16);
    const y = start + down + (random() - 0.5) * 4;
    const x = CX + across * (glass.rIn(y) - s * 1.3) + (random() - 0.5) * 4;
    const rotation: Vector = [0.5 + random() * 0.35, 0.3 + random() * 0.9, (random() - 0.5) * 0.7];
    if (y + s * 1.5 >= glass.yFloor) continue;
    if (row === 0) {
      // White mixed with coffee would be gray, so the shaded faces of cubes in dark drinks are amber.
      const ink = dark ? mix(surface, "#E8BE8E", 0.74) : mix(surface, "#FFFCF6", 0.5);
      const frost = dark ? "#FFF6E8" : "#FFFCF6";
      cubes.floating += cube(
        { x, y, s, rotation },
        { ink, frost, clarity: CLARITY[0], isFloating: true },
        small,
      );
    } else {
      const ink = getInk(drawing, glass, y);
      const frost = luma(ink) < 0.5 ? "#F7CF9A" : "#FFFCF6";
      // Deeper cubes are drawn first.
      const material = { ink, frost, clarity: CLARITY[row], isFloating: false };
      cubes.sunk = cube({ x, y, s, rotation }, material, small) + cubes.sunk;
    }
  }
  return cubes;
}
