import type { Hex } from "../sheet/color";
import { foodShadow } from "../sheet/shapes";
import { CX, clipped, ellipse, path, svg } from "../sheet/svg";
import { type FoodDrawing, flake, food } from "./food";

const HOLE = { y: 176, r: 25, k: 0.34 };
/** The upper half: a ring seen slightly from above. */
const RING =
  "M32 206C28 174 64 150 120 150C176 150 212 174 208 206C206 220 168 226 120 226C72 226 34 220 32 206Z";

interface Crust {
  lit: Hex;
  light: Hex;
  body: Hex;
  deep: Hex;
}
const GOLDEN: Crust = { lit: "#F7D398", light: "#E3A95C", body: "#C07D35", deep: "#84490F" };
const CINNAMON: Crust = { lit: "#E9BC88", light: "#C98A4E", body: "#9C5E2A", deep: "#693509" };

function lowerHalf({ g }: FoodDrawing, { light, body, deep }: Crust): string {
  const paint = g.line(CX - 88, 0, CX + 88, 0, [
    [0, body],
    [0.2, light],
    [0.42, light],
    [0.78, body],
    [1, deep],
  ]);
  return `<path d="M34 226C31 250 40 268 64 271C88 274 152 274 176 271C200 268 209 250 206 226C206 216 34 216 34 226Z" fill="${paint}"/><path d="M36 226C36 232 204 232 204 226" fill="none" stroke="#F5DFB5" stroke-width="7" stroke-opacity=".9"/>`;
}

/** Cream cheese with chives, pressed out between the halves. */
function creamCheese({ g, random }: FoodDrawing): string {
  const paint = g.line(0, 204, 0, 242, [
    [0, "#FFFDF6"],
    [0.6, "#FBF1DF"],
    [1, "#DCC9A8"],
  ]);
  let out = `<path d="M32 214C28 226 38 234 48 231C54 240 68 240 74 234C84 242 100 240 106 236C118 243 132 241 140 235C150 241 166 240 172 233C182 238 196 236 198 229C208 230 212 222 208 214C204 206 36 206 32 214Z" fill="${paint}"/>`;
  for (let i = 0; i < 16; i++) {
    const [x, y] = [42 + random() * 156, 224 + random() * 8];
    out += svg`<rect x="${x}" y="${y}" width="${3 + random() * 3}" height="1.6" rx=".8" fill="#5E7A36"/>`;
  }
  return out;
}

function upperHalf({ g, spread }: FoodDrawing, { lit, light, body, deep }: Crust): string {
  const { y, r, k } = HOLE;
  const crust = g.disc(
    86,
    160,
    126,
    [
      [0, lit],
      [0.3, light],
      [0.64, body],
      [1, deep],
    ],
    0.72,
  );
  const hole = g.line(0, 166, 0, 186, [
    [0, "#7A430F"],
    [0.5, "#A8682B"],
    [1, "#D9A25C"],
  ]);
  const seenThrough = spread
    ? '<path d="M96 178C98 186 142 186 144 178" fill="#FFF8EA" fill-opacity=".85"/>'
    : "";
  return [
    path(RING, 'fill="#5E3414" fill-opacity=".3" transform="translate(1 3)"'),
    path(RING, `fill="${crust}"`),
    '<path d="M42 212C56 220 86 222.5 120 222.5C154 222.5 184 220 198 212" fill="none" stroke="#F0CE92" stroke-opacity=".4" stroke-width="2"/>',
    ellipse(CX, y, r, r * k, `fill="${hole}"`),
    seenThrough,
    ellipse(CX, y, r, r * k, 'fill="none" stroke="#8A4F18" stroke-opacity=".5" stroke-width="1.4"'),
    '<path d="M60 176C70 164 88 158 104 156" fill="none" stroke="#FFF0CF" stroke-opacity=".75" stroke-width="5" stroke-linecap="round"/>',
  ].join("");
}

function seeds({ g, random, small }: FoodDrawing, onlySesame: boolean): string {
  const count = small ? 60 : 120;
  let out = "";
  for (let i = 0; i < count; i++) {
    const angle = i * 2.399963;
    const distance = Math.sqrt(0.16 + (0.74 * (i + 0.5)) / count) + (random() - 0.5) * 0.07;
    const x = CX + Math.cos(angle) * distance * 88;
    const y = 183 + Math.sin(angle) * distance * 35;
    const kind = onlySesame ? 1 : random();
    const rotation = Math.round(random() * 180);
    if (kind > 0.45) {
      out += svg`<ellipse cx="${x}" cy="${y}" rx="2.7" ry="1.4" fill="#FFF3D6" stroke="#9A6A30" stroke-opacity=".4" stroke-width=".5" transform="rotate(${rotation} ${x} ${y})"/>`;
    } else if (kind > 0.16) {
      out += svg`<circle cx="${x}" cy="${y}" r="1.2" fill="#2E2A33"/>`;
    } else {
      out += flake(
        x,
        y,
        3.6,
        1.8,
        "#B8742E",
        rotation,
        ' stroke="#6E3C10" stroke-opacity=".4" stroke-width=".5"',
      );
    }
  }
  return clipped(g.clip(path(RING)), out);
}

/** Raisins and the swirl of cinnamon that shows in the crust. */
function raisins({ g }: FoodDrawing): string {
  const swirl =
    '<path d="M44 196C60 178 86 190 100 200M140 198C160 186 184 190 198 202M70 168C84 160 96 164 100 170" fill="none" stroke="#6B3410" stroke-opacity=".5" stroke-width="4" stroke-linecap="round"/>';
  const places = [
    [62, 190],
    [84, 208],
    [150, 208],
    [178, 186],
    [160, 168],
    [112, 158],
  ];
  const fruit = places
    .map(([x, y]) => `<ellipse cx="${x}" cy="${y}" rx="5.4" ry="3.6" fill="#3E2218"/>`)
    .join("");
  return clipped(g.clip(path(RING)), swirl + fruit);
}

export const bagel = food(["everything", "plain", "sesame", "cinnamon"], (drawing, variant) => {
  const crust = variant === "cinnamon" ? CINNAMON : GOLDEN;
  let out = foodShadow(drawing.g, 76) + lowerHalf(drawing, crust);
  if (drawing.spread) out += creamCheese(drawing);
  out += upperHalf(drawing, crust);
  if (variant === "plain") return out;
  return out + (variant === "cinnamon" ? raisins(drawing) : seeds(drawing, variant === "sesame"));
});
