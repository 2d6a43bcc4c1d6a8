import { darker, type Hex, lighter } from "../sheet/color";
import { foodShadow, mark } from "../sheet/shapes";
import { path } from "../sheet/svg";
import { food } from "./food";

const BAGS = {
  dark: "#4A2E20",
  medium: "#6E4A34",
  blonde: "#B98A54",
  decaf: "#7C8566",
} as const satisfies Record<string, Hex>;

/** A bag of coffee: folded top, valve, paper label. */
export const beans = food(["dark", "medium", "blonde", "decaf"], ({ g }, variant) => {
  const color = BAGS[variant];
  const bag =
    "M58 108C56 150 52 220 56 262C57 270 62 273 70 273L170 273C178 273 183 270 184 262C188 220 184 150 182 108Z";
  const body = g.line(52, 0, 188, 0, [
    [0, darker(color, 0.35)],
    [0.1, lighter(color, 0.06)],
    [0.26, lighter(color, 0.24)],
    [0.5, color],
    [0.84, darker(color, 0.3)],
    [0.93, darker(color, 0.12)],
    [1, darker(color, 0.5)],
  ]);
  const fold = g.line(58, 0, 182, 0, [
    [0, darker(color, 0.4)],
    [0.25, lighter(color, 0.16)],
    [0.6, darker(color, 0.06)],
    [1, darker(color, 0.5)],
  ]);
  const paper = g.line(82, 0, 158, 0, [
    [0, "#FFFDF8"],
    [0.6, "#F6ECDD"],
    [1, "#E2D2BA"],
  ]);
  return [
    foodShadow(g, 66, 8),
    path(bag, `fill="${body}"`),
    `<path d="M58 108L60 78C60 74 64 72 68 72L172 72C176 72 180 74 180 78L182 108Z" fill="${fold}"/><path d="M58 108L182 108" stroke="#1E0F08" stroke-opacity=".35" stroke-width="1.4"/><path d="M60 84H180" stroke="#fff" stroke-opacity=".16" stroke-width="2"/>`,
    '<path d="M66 120C72 160 66 220 70 262M174 120C170 170 176 220 170 262" fill="none" stroke="#1E0F08" stroke-opacity=".16" stroke-width="3" stroke-linecap="round"/>',
    `<rect x="82" y="146" width="76" height="92" rx="6" fill="${paper}"/>${mark(119, 174, 10, "#4A2E1D")}`,
    `<rect x="98" y="198" width="44" height="4" rx="2" fill="${color}"/><rect x="104" y="208" width="32" height="3" rx="1.5" fill="#4A2E1D" fill-opacity=".45"/><rect x="108" y="216" width="24" height="3" rx="1.5" fill="#4A2E1D" fill-opacity=".45"/>`,
    '<g fill="#3B2213" fill-opacity=".5"><circle cx="120" cy="124" r="3"/><circle cx="120" cy="124" r="1.1" fill="#fff" fill-opacity=".4"/></g>',
  ].join("");
});
