import type { Hex } from "../sheet/color";
import { foodShadow } from "../sheet/shapes";
import { CX, clipped, ellipse, path, svg } from "../sheet/svg";
import { type FoodDrawing, food, pore } from "./food";

const BODY =
  "M30 222C26 184 66 156 120 156C174 156 214 184 210 222C212 252 174 272 120 272C66 272 28 252 30 222Z";
/** The icing with an uneven edge above the pale band. */
const ICING =
  "M34 214C30 182 68 156 120 156C172 156 210 182 206 214C206 226 196 226 190 222C182 220 180 234 170 234C160 234 160 226 150 230C142 234 140 244 128 242C118 240 118 232 106 236C96 240 92 238 86 232C80 226 72 236 62 232C54 228 56 220 48 222C40 224 34 222 34 214Z";
const HOLE = { y: 196, rx: 27, ry: 12 };

interface Icing {
  lit: Hex;
  body: Hex;
  edge: Hex;
  opacity: number;
}

const ICINGS = {
  glazed: { lit: "#FFF7E4", body: "#F3D9A4", edge: "#D8A45C", opacity: 0.72 },
  chocolate: { lit: "#8A5A44", body: "#522C1D", edge: "#331A10", opacity: 1 },
  sprinkles: { lit: "#FFE3E0", body: "#F3B3B4", edge: "#D88A90", opacity: 1 },
} as const satisfies Record<string, Icing>;

function ring({ g }: FoodDrawing): string {
  const dough = g.disc(
    88,
    184,
    128,
    [
      [0, "#F3C98A"],
      [0.4, "#DFA458"],
      [0.75, "#BC7A32"],
      [1, "#86501B"],
    ],
    0.8,
  );
  // The pale band around the middle.
  const waist =
    '<path d="M31 232C44 252 84 261 120 261S196 252 209 232C207 240 204 246 198 251C180 262 150 266 120 266S60 262 42 251C36 246 33 240 31 232Z" fill="#F7E2B4" fill-opacity=".75"/>';
  return path(BODY, `fill="${dough}"`) + waist;
}

function hole({ g }: FoodDrawing, inside: Hex): string {
  const { y, rx, ry } = HOLE;
  const depth = g.line(0, y - ry, 0, y + ry, [
    [0, inside],
    [0.55, "#A8682B"],
    [1, "#E2AE66"],
  ]);
  return (
    ellipse(CX, y, rx, ry, `fill="${depth}"`) +
    ellipse(CX, y, rx, ry, 'fill="none" stroke="#6E3F14" stroke-opacity=".4" stroke-width="1.4"')
  );
}

const SPRINKLES: readonly Hex[] = ["#FFFDF6", "#E0505E", "#F2B23F", "#7FA545", "#8E5A3C"];

function sprinkles({ random }: FoodDrawing): string {
  let out = "";
  for (let i = 0; i < 60; i++) {
    const angle = i * 2.399963;
    const distance = Math.sqrt(0.2 + (0.7 * (i + 0.5)) / 60);
    const x = CX + Math.cos(angle) * distance * 82;
    const y = 196 + Math.sin(angle) * distance * 34;
    const color = SPRINKLES[Math.floor(random() * SPRINKLES.length)] ?? "#FFFDF6";
    out += svg`<rect x="${x - 3}" y="${y - 1.2}" width="6.4" height="2.4" rx="1.2" fill="${color}" transform="rotate(${random() * 180} ${x} ${y})"/>`;
  }
  return out;
}

function iced(drawing: FoodDrawing, { lit, body, edge, opacity }: Icing): string {
  const paint = drawing.g.disc(
    88,
    176,
    120,
    [
      [0, lit],
      [0.36, body],
      [0.8, body],
      [1, edge],
    ],
    0.7,
  );
  return (
    path(ICING, 'fill="#5E3414" fill-opacity=".24" transform="translate(1 4)"') +
    path(ICING, `fill="${paint}" fill-opacity="${opacity}"`) +
    '<path d="M54 196C62 178 86 166 108 164" fill="none" stroke="#fff" stroke-opacity=".75" stroke-width="6" stroke-linecap="round"/>'
  );
}

/** Cinnamon sugar on a bare ring. */
function sugared({ g, random, small }: FoodDrawing): string {
  let out = "";
  for (let i = 0; i < (small ? 60 : 170); i++) {
    const [x, y] = [34 + random() * 172, 160 + random() * 92];
    out += pore(x, y, 0.9 + random(), 0.8 + random() * 0.7, random() > 0.35 ? "#FFF8E8" : "#8E5320", 0.75);
  }
  return clipped(g.clip(path(BODY)), out);
}

export const doughnut = food(["glazed", "chocolate", "sprinkles", "plain"], (drawing, variant) => {
  const base = foodShadow(drawing.g, 80) + ring(drawing);
  if (variant === "plain") return base + sugared(drawing) + hole(drawing, "#7A4312");
  const { edge } = ICINGS[variant];
  const on = variant === "sprinkles" ? clipped(drawing.g.clip(path(ICING)), sprinkles(drawing)) : "";
  return base + iced(drawing, ICINGS[variant]) + on + hole(drawing, edge);
});
