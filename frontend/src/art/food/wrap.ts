import type { Hex } from "../sheet/color";
import { foodShadow } from "../sheet/shapes";
import { clipped, ellipse, path, svg } from "../sheet/svg";
import { dough, type FoodDrawing, food, pore } from "./food";

/** One half of the wrap on its side: the cut faces the viewer at the left, the folded end is at the right. */
const HALF = "M64 186C100 180 170 180 196 190C216 198 218 250 198 260C172 270 104 268 64 262Z";
const CUT = { x: 66, y: 224, rx: 30, ry: 39 };

const TORTILLAS = {
  spinach: ["#D3D69A", "#AEB86A", "#707C38"],
  chicken: ["#FBEBC6", "#EBCF98", "#B98C4E"],
} as const;

/** Fillings from the edge to the middle. */
const FILLINGS: Record<"spinach" | "chicken", readonly Hex[]> = {
  spinach: ["#4F7A2E", "#FBE2A0", "#FFFDF6", "#C8412F", "#6E9A3C", "#FFFDF6", "#F6D88A"],
  chicken: ["#7FA545", "#F3DDBC", "#E6C49A", "#C8412F", "#F6BF4D", "#F3DDBC", "#8DB14E"],
};

function tortilla({ g, random }: FoodDrawing, [lit, body, deep]: readonly [Hex, Hex, Hex]): string {
  const side = g.line(0, 182, 0, 266, [
    [0, body],
    [0.18, lit],
    [0.5, body],
    [0.86, deep],
    [1, deep],
  ]);
  let toasted = "";
  for (let i = 0; i < 26; i++) {
    const [x, y] = [96 + random() * 112, 186 + random() * 62];
    toasted += pore(
      x,
      y,
      3 + random() * 7,
      1.6 + random() * 3,
      "#7A4A1C",
      0.16 + random() * 0.2,
      random() * 24,
    );
  }
  const seam =
    '<path d="M84 246C120 254 168 254 206 232" fill="none" stroke="#4A3A12" stroke-opacity=".32" stroke-width="2" stroke-linecap="round"/>';
  const fold =
    '<path d="M206 200C196 212 192 228 204 248" fill="none" stroke="#4A3A12" stroke-opacity=".3" stroke-width="2" stroke-linecap="round"/>';
  const shine =
    '<path d="M100 192C130 187 160 187 186 193" fill="none" stroke="#fff" stroke-opacity=".5" stroke-width="4" stroke-linecap="round"/>';
  return path(HALF, `fill="${side}"`) + clipped(g.clip(path(HALF)), toasted) + seam + fold + shine;
}

/** The cut: the rolled edge of the tortilla around the fillings. */
function cut(
  { g, random }: FoodDrawing,
  colors: readonly Hex[],
  [lit, body]: readonly [Hex, Hex, Hex],
): string {
  const { x, y, rx, ry } = CUT;
  let inside = ellipse(x, y, rx, ry, 'fill="#6B5A2A"');
  for (let i = 0; i < 26; i++) {
    const angle = i * 2.4;
    const distance = Math.sqrt((i + 0.5) / 26) * 0.86;
    const [px, py] = [x + Math.cos(angle) * distance * rx, y + Math.sin(angle) * distance * ry];
    const color = colors[i % colors.length] ?? "#FBE2A0";
    const piece = dough(px, py, 5.4 + random() * 4.4, 4.4 + random() * 4, 0.5, 7, random);
    inside += path(piece, `fill="${color}" stroke="#3E2A0E" stroke-opacity=".28" stroke-width=".8"`);
  }
  const clip = g.clip(ellipse(x, y, rx - 4, ry - 4));
  const roll = svg`M${x + 9} ${y - 27}C${x + 23} ${y - 16} ${x + 24} ${y + 18} ${x + 8} ${y + 28}`;
  return (
    ellipse(x, y, rx, ry, `fill="${body}"`) +
    ellipse(x - 0.6, y - 0.6, rx - 2, ry - 2, `fill="${lit}"`) +
    clipped(clip, inside) +
    path(roll, `fill="none" stroke="${lit}" stroke-width="3.4" stroke-linecap="round"`)
  );
}

/** The paper around the folded end. */
function paper({ g }: FoodDrawing): string {
  const paint = g.line(0, 180, 0, 268, [
    [0, "#E6D8C2"],
    [0.2, "#FFFDF8"],
    [0.55, "#F1E6D4"],
    [0.88, "#C9B394"],
    [1, "#B59C7A"],
  ]);
  const sheet =
    "M140 179C134 200 146 214 138 232S146 258 140 270C164 270 186 268 200 262C220 250 220 198 200 188C186 182 162 179 140 179Z";
  return (
    path(sheet, `fill="${paint}"`) +
    '<path d="M140 179C134 200 146 214 138 232S146 258 140 270" fill="none" stroke="#fff" stroke-width="2"/><path d="M160 184C154 210 168 236 160 266M184 188C180 214 192 236 184 262" fill="none" stroke="#8D6C49" stroke-opacity=".25" stroke-width="2"/>'
  );
}

export const wrap = food(["spinach", "chicken"], (drawing, variant) => {
  const colors = TORTILLAS[variant];
  const half = tortilla(drawing, colors) + cut(drawing, FILLINGS[variant], colors);
  const behind = tortilla(drawing, colors) + cut(drawing, FILLINGS[variant], colors);
  return [
    foodShadow(drawing.g, 84, 8),
    // The other half leans on the first one.
    `<g transform="translate(40 -30) rotate(-14 120 224) scale(.92)">${behind}</g>`,
    half,
    paper(drawing),
  ].join("");
});
