import type { Drawing, Fruit } from "../drink";
import type { Hex } from "../sheet/color";
import { CX, svg } from "../sheet/svg";
import type { Glass } from "./glass";

const SLICES: Record<Fruit, { flesh: Hex; pith: Hex; peel: Hex }> = {
  lemon: { flesh: "#F6D65B", pith: "#FFF3BE", peel: "#F2C53A" },
  orange: { flesh: "#F09A2E", pith: "#FFD79A", peel: "#E8821C" },
  lime: { flesh: "#A9BF4A", pith: "#E6EDB4", peel: "#8FA936" },
  strawberry: { flesh: "#D8434E", pith: "#F7A9A6", peel: "#B92C3A" },
};

const PLACES = [
  { across: -0.45, down: 34, r: 19, rotation: -12 },
  { across: 0.42, down: 62, r: 17, rotation: 22 },
] as const;

/** Two slices against the wall of the glass. */
export function fruitSlices({ scatter }: Drawing, kind: Fruit, { yLevel, rIn }: Glass): string {
  const random = scatter("fruit");
  const { flesh, pith, peel } = SLICES[kind];
  return PLACES.map(({ across, down, r, rotation }) => {
    const x = CX + across * rIn(yLevel + down);
    const y = yLevel + down + random() * 6;
    const inner = r * 0.78;
    let segments = "";
    for (let i = 0; i < 8; i++) {
      const a = (i * Math.PI) / 4;
      const b = a + 0.68;
      segments += svg`<path d="M0 0L${Math.cos(a) * inner} ${Math.sin(a) * inner}A${inner} ${inner} 0 0 1 ${Math.cos(b) * inner} ${Math.sin(b) * inner}Z" fill="${flesh}" stroke="${pith}" stroke-width="1.4" stroke-linejoin="round"/>`;
    }
    return svg`<g transform="translate(${x} ${y}) rotate(${rotation}) scale(.86 1)" opacity=".8"><circle r="${r}" fill="${peel}"/><circle r="${r * 0.9}" fill="${pith}"/>${segments}</g>`;
  }).join("");
}
