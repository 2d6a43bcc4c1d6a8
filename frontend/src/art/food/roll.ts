import { foodShadow, type Point, thread } from "../sheet/shapes";
import { CX, clipped, ellipse, path, svg } from "../sheet/svg";
import { type FoodDrawing, flake, food } from "./food";

const Y = 206;
const RX = 84;
const RY = 40;

/** The spiral of the dough in perspective. */
function spiral(from: number, to: number): string {
  const points = Array.from({ length: 60 }, (_, i): Point => {
    const u = i / 59;
    const r = from + (to - from) * u;
    const angle = 0.6 + u * 16.2;
    return [CX + Math.cos(angle) * r * RX, Y - 4 + Math.sin(angle) * r * RY];
  });
  return thread(points);
}

function body({ g }: FoodDrawing): string {
  const side = g.line(CX - RX, 0, CX + RX, 0, [
    [0, "#C27F38"],
    [0.24, "#EBB972"],
    [0.5, "#D69A4F"],
    [0.8, "#A6662A"],
    [1, "#7C4817"],
  ]);
  const top = g.disc(
    92,
    190,
    104,
    [
      [0, "#FBE3B0"],
      [0.4, "#EDBF76"],
      [0.75, "#D2944A"],
      [1, "#AE7030"],
    ],
    0.5,
  );
  return (
    path(
      svg`M${CX - RX} ${Y}C${CX - RX - 4} ${Y + 34} ${CX - RX + 6} 262 ${CX - RX + 26} 267C${CX - 20} 276 ${CX + 20} 276 ${CX + RX - 26} 267C${CX + RX - 6} 262 ${CX + RX + 4} ${Y + 34} ${CX + RX} ${Y}Z`,
      `fill="${side}"`,
    ) + ellipse(CX, Y, RX, RY, `fill="${top}"`)
  );
}

const ICING =
  '<path d="M48 204C46 186 76 172 104 170C122 164 160 168 178 182C196 192 196 210 184 216C182 228 174 240 168 230C164 224 158 226 152 230C150 240 140 248 136 236C128 230 120 238 110 236C106 250 96 250 94 236C86 230 80 232 72 226C62 228 48 220 48 204Z" fill="#FFFCF2" fill-opacity=".9"/><path d="M66 196C76 182 100 176 122 176" fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round"/>';

function sugar({ random }: FoodDrawing): string {
  let out = "";
  for (let i = 0; i < 120; i++) {
    const angle = random() * 6.283;
    const distance = Math.sqrt(random()) * 0.96;
    const [x, y] = [CX + Math.cos(angle) * distance * RX, Y + Math.sin(angle) * distance * RY];
    out += flake(x, y, 1.9, 1.6, "#FFFDF6", Math.round(random() * 90), ' fill-opacity=".92"');
  }
  return out;
}

export const roll = food(["cinnamon", "morning-bun"], (drawing, variant) => {
  const { g } = drawing;
  const top = g.clip(ellipse(CX, Y, RX, RY));
  const seam = spiral(0.06, 0.98);
  const seamLines =
    path(seam, 'fill="none" stroke="#74400F" stroke-opacity=".85" stroke-width="6"') +
    path(
      seam,
      'fill="none" stroke="#FFEFC6" stroke-opacity=".6" stroke-width="2" transform="translate(-1.4 -3.4)"',
    );
  const ring =
    '<path d="M40 226C60 248 92 254 120 254S180 248 200 226" fill="none" stroke="#7C4817" stroke-opacity=".4" stroke-width="2.6" stroke-linecap="round"/>';
  return (
    foodShadow(g, 74) +
    body(drawing) +
    clipped(top, seamLines) +
    ring +
    (variant === "cinnamon" ? ICING : sugar(drawing))
  );
});
