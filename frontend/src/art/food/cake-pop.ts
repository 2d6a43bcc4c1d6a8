import type { Hex } from "../sheet/color";
import { contactShadow } from "../sheet/shapes";
import { BASE, CX, clipped, ellipse, path, svg } from "../sheet/svg";
import { type FoodDrawing, food } from "./food";

const Y = 226;
const R = 44;

interface Coat {
  lit: Hex;
  body: Hex;
  deep: Hex;
  grains: readonly Hex[];
}

const COATS = {
  birthday: { lit: "#FFE9E8", body: "#F4B6BC", deep: "#C77A86", grains: ["#FFFDF6", "#FFF3D6"] },
  chocolate: { lit: "#8E6048", body: "#54301F", deep: "#2A140B", grains: ["#C98A3C", "#E8C385"] },
  strawberry: { lit: "#F7A5A8", body: "#DD5A68", deep: "#98283A", grains: ["#FFFDF6", "#F9D2CE"] },
} as const satisfies Record<string, Coat>;

/** Sprinkles on the front. */
function grains({ g, random }: FoodDrawing, colors: readonly Hex[]): string {
  let out = "";
  for (let i = 0; i < 34; i++) {
    const angle = i * 2.399963;
    const distance = Math.sqrt((i + 0.5) / 34) * 0.86;
    const [x, y] = [CX - 4 + Math.cos(angle) * distance * R, Y - 6 + Math.sin(angle) * distance * R];
    const color = colors[i % colors.length] ?? "#FFFDF6";
    out += svg`<rect x="${x - 2}" y="${y - 2}" width="4" height="3.4" rx=".8" fill="${color}" transform="rotate(${random() * 90} ${x} ${y})"/>`;
  }
  return clipped(g.clip(ellipse(CX, Y, R, R)), out);
}

/** A cake pop, standing upside down on its cake. */
export const cakePop = food(["birthday", "chocolate", "strawberry"], (drawing, variant) => {
  const { g } = drawing;
  const { lit, body, deep, grains: colors } = COATS[variant];
  const coat = g.disc(CX - 16, Y - 18, R * 1.6, [
    [0, lit],
    [0.4, body],
    [0.78, body],
    [1, deep],
  ]);
  const stick = g.line(CX - 4, 0, CX + 4, 0, [
    [0, "#FFFDF8"],
    [0.5, "#F1E7D8"],
    [1, "#CDBBA4"],
  ]);
  return [
    contactShadow(g, 34, BASE - 7, 0.95),
    `<path d="M116 92C116 90 124 90 124 92L124 190L116 190Z" fill="${stick}" transform="rotate(5 120 226)"/>`,
    path(
      "M78 232C78 256 92 271 120 271S162 256 162 232Z",
      `fill="${deep}" fill-opacity=".5" transform="translate(0 1)"`,
    ),
    ellipse(CX, Y, R, R, `fill="${coat}"`),
    grains(drawing, colors),
    ellipse(CX + 4, Y - R + 4, 12, 4, `fill="${body}"`),
    ellipse(CX - 18, Y - 22, 10, 6, 'fill="#fff" fill-opacity=".55" transform="rotate(-34 102 204)"'),
  ].join("");
});
