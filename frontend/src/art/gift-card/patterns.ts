/** Decorations of gift cards: SVG text on a sheet of 320 x 180, behind the drinks. */
import { createSeed, seeded } from "../sheet/random";
import { fine, svg } from "../sheet/svg";

const HEART = "M0 62C-10 44-62 26-60-16-58-52-16-62 0-28 16-62 58-52 60-16 62 26 10 44 0 62Z";

/** Latte art as contour lines, as on JoePass. */
export const contours = (color: string): string => {
  const rings = Array.from({ length: 10 }, (_, ring) => {
    const scale = 0.3 + ring * 0.2;
    return `<path transform="translate(${fine(236 - ring * 2)} ${fine(70 + ring * 2)}) rotate(-18) scale(${fine(scale)})" d="${HEART}" stroke-width="${fine(1.3 / scale)}"/>`;
  });
  return `<g fill="none" stroke="${color}" stroke-opacity=".42">${rings.join("")}</g>`;
};

export function confetti(colors: readonly string[]): string {
  const random = seeded(createSeed("confetti"));
  return Array.from({ length: 46 }, (_, index) => {
    const [x, y, angle] = [random() * 320, random() * 120, random() * 180];
    const color = colors[index % colors.length];
    return index % 3 === 0
      ? svg`<circle cx="${x}" cy="${y}" r="2.2" fill="${color ?? ""}"/>`
      : svg`<rect x="${x}" y="${y}" width="7" height="3" rx="1" fill="${color ?? ""}" transform="rotate(${angle} ${x} ${y})"/>`;
  }).join("");
}

/** Light from a window behind the drinks. */
export const rays = (color: string): string =>
  `<g fill="${color}" fill-opacity=".4"><path d="M196-20 90 190H140L226-20ZM246-20 170 190H200L268-20ZM296-20 240 190H300L346-20Z"/></g>`;

/** Paper streamers that hang from the top. */
export function streamers(colors: readonly string[]): string {
  return Array.from({ length: 7 }, (_, index) => {
    const x = 18 + index * 47;
    const length = 44 + ((index * 37) % 40);
    const curl = `M${x}-4c12 10-12 20 0 30s-12 20 0 30${length > 60 ? "s-12 20 0 30" : ""}`;
    return `<path d="${curl}" fill="none" stroke="${colors[index % colors.length]}" stroke-width="3.4" stroke-linecap="round"/>`;
  }).join("");
}

export function snow(color: string): string {
  const random = seeded(createSeed("snow"));
  const flakes = Array.from({ length: 60 }, () => {
    const [x, y, r] = [random() * 320, random() * 150, 0.8 + random() * 1.9];
    return svg`<circle cx="${x}" cy="${y}" r="${r}"/>`;
  });
  return `<g fill="${color}" fill-opacity=".8">${flakes.join("")}</g>`;
}

export function hearts(color: string): string {
  const random = seeded(createSeed("hearts"));
  const all = Array.from({ length: 16 }, (_, index) => {
    const [x, y] = [10 + (index % 8) * 42 + random() * 20, 10 + Math.floor(index / 8) * 46 + random() * 26];
    return `<path transform="translate(${fine(x)} ${fine(y)}) rotate(${fine(random() * 40 - 20)}) scale(${fine(0.07 + random() * 0.07)})" d="${HEART}"/>`;
  });
  return `<g fill="${color}" fill-opacity=".5">${all.join("")}</g>`;
}
