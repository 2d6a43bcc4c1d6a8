import { foodShadow } from "../sheet/shapes";
import { clipped, ellipse, path, svg } from "../sheet/svg";
import { type FoodDrawing, flake, food, pore } from "./food";

interface Bite {
  x: number;
  yT: number;
  yB: number;
  r: number;
}

const BITES: readonly Bite[] = [
  { x: 78, yT: 190, yB: 256, r: 42 },
  { x: 158, yT: 200, yB: 264, r: 44 },
];

function bite({ g, random }: FoodDrawing, { x, yT, yB, r }: Bite, bits: readonly string[]): string {
  const side = g.line(x - r, 0, x + r, 0, [
    [0, "#D9A94C"],
    [0.25, "#FBE3A0"],
    [0.55, "#F2CC74"],
    [0.85, "#C8923A"],
    [1, "#9E6B22"],
  ]);
  const top = g.disc(
    x - r * 0.3,
    yT - 4,
    r * 1.3,
    [
      [0, "#FFF3C8"],
      [0.5, "#F8D98C"],
      [0.85, "#DDA548"],
      [1, "#B87A2A"],
    ],
    0.36,
  );
  const wall = svg`M${x - r} ${yT}L${x - r + 6} ${yB}A${r - 6} 10 0 0 0 ${x + r - 6} ${yB}L${x + r} ${yT}Z`;
  const face = ellipse(x, yT, r, 15);
  let on = "";
  for (let i = 0; i < 16; i++) {
    const angle = i * 2.4;
    const distance = Math.sqrt((i + 0.5) / 16) * 0.84;
    const [px, py] = [x + Math.cos(angle) * distance * r, yT + Math.sin(angle) * distance * 13];
    const color = bits[i % bits.length] ?? "#C98A3C";
    on += flake(px - 3, py - 2, 6 + random() * 3, 3.6, color, Math.round(random() * 60 - 30));
    on += pore(px + 8, py, 3 + random() * 3, 1.4, "#B87A2A", 0.4);
  }
  let inside = "";
  for (let i = 0; i < 9; i++) {
    const [px, py] = [x + (random() * 1.5 - 0.75) * r, yT + 22 + random() * (yB - yT - 18)];
    inside += flake(
      px,
      py,
      5 + random() * 3,
      3.4,
      bits[i % bits.length] ?? "#C98A3C",
      Math.round(random() * 90),
      ' fill-opacity=".55"',
    );
  }
  return [
    path(wall, `fill="${side}"`),
    clipped(g.clip(path(wall)), inside),
    face.replace("/>", `fill="${top}"/>`),
    clipped(g.clip(face), on),
    ellipse(x - r * 0.34, yT - 6, r * 0.3, 2.4, 'fill="#fff" fill-opacity=".6"'),
  ].join("");
}

const BITS = {
  bacon: ["#A8402E", "#F6BF4D", "#7E2A1E"],
  veggie: ["#5E8A38", "#D2493C", "#7FA545"],
} as const;

/** Two egg bites. */
export const eggBites = food(["bacon", "veggie"], (drawing, variant) => {
  const pair = BITES.map((one) => bite(drawing, one, BITS[variant]));
  return foodShadow(drawing.g, 76) + pair.join("");
});
