import { foodShadow } from "../sheet/shapes";
import { clipped, ellipse, path, svg } from "../sheet/svg";
import { type FoodDrawing, flake, food, pore } from "./food";

/** Two halves, cut at an angle. The standing one shows its filling. */
const BODY = "M70 146C64 180 60 232 66 258C72 274 168 274 174 258C180 232 176 180 170 146Z";
const CUT = { x: 120, y: 146, rx: 50, ry: 24 };

const TORTILLAS = {
  spinach: ["#C8CC8A", "#A9B264", "#7C8A40"],
  chicken: ["#FBEBC6", "#EBCF98", "#BF935A"],
} as const;

const FILLINGS = {
  spinach: ["#5E8A38", "#FBE5A9", "#FFFDF6", "#D2493C", "#7FA545"],
  chicken: ["#F0D9B8", "#7FA545", "#E8C8A0", "#D2493C", "#F6BF4D"],
} as const;

function cutFace({ g, random }: FoodDrawing, colors: readonly string[], rim: string): string {
  const { x, y, rx, ry } = CUT;
  let out = ellipse(x, y, rx, ry, `fill="${rim}"`);
  let inside = ellipse(x, y, rx - 6, ry - 4, 'fill="#8A6A3A"');
  for (let i = 0; i < 40; i++) {
    const angle = i * 2.4;
    const distance = Math.sqrt((i + 0.5) / 40);
    const [px, py] = [x + Math.cos(angle) * distance * (rx - 8), y + Math.sin(angle) * distance * (ry - 5)];
    const color = colors[i % colors.length] ?? "#FBE5A9";
    const stroke = ' stroke="#4A2E12" stroke-opacity=".25" stroke-width=".8"';
    inside += flake(
      px - 6,
      py - 3,
      12 + random() * 6,
      6 + random() * 3,
      color,
      Math.round(random() * 70 - 35),
      stroke,
    );
  }
  const clip = g.clip(ellipse(x, y, rx - 5, ry - 3.5));
  out += clipped(clip, inside);
  // The inner layer of the rolled edge.
  return (
    out +
    path(
      "M76 150C84 132 118 126 144 132",
      `fill="none" stroke="${rim}" stroke-width="4" stroke-linecap="round"`,
    )
  );
}

function paper({ g }: FoodDrawing): string {
  const paint = g.line(64, 0, 176, 0, [
    [0, "#D8C6AC"],
    [0.2, "#FFFDF8"],
    [0.55, "#F1E6D4"],
    [0.9, "#C9B394"],
    [1, "#B59C7A"],
  ]);
  return `<path d="M62 206C84 220 156 196 178 210C180 230 178 250 175 259C168 274 72 274 65 259C61 244 60 224 62 206Z" fill="${paint}"/><path d="M62 206C84 220 156 196 178 210" fill="none" stroke="#fff" stroke-width="2"/><path d="M84 218C82 236 84 254 90 268M150 210C156 228 154 250 150 268" fill="none" stroke="#8D6C49" stroke-opacity=".25" stroke-width="2"/>`;
}

export const wrap = food(["spinach", "chicken"], (drawing, variant) => {
  const { g, random } = drawing;
  const [lit, body, deep] = TORTILLAS[variant];
  const side = g.line(66, 0, 174, 0, [
    [0, body],
    [0.24, lit],
    [0.55, body],
    [0.86, deep],
    [1, body],
  ]);
  let griddled = "";
  for (let i = 0; i < 22; i++) {
    const [x, y] = [68 + random() * 104, 172 + random() * 40];
    griddled += pore(x, y, 3 + random() * 5, 2 + random() * 3, "#8A5A26", 0.2 + random() * 0.2);
  }
  return [
    foodShadow(g, 58, 7),
    path(BODY, `fill="${side}"`),
    clipped(g.clip(path(BODY)), griddled),
    cutFace(drawing, FILLINGS[variant], lit),
    paper(drawing),
    svg`<path d="M82 168L80 200" stroke="#fff" stroke-opacity=".5" stroke-width="4" stroke-linecap="round"/>`,
  ].join("");
});
