/** A color in the form `#rrggbb`. */
export type Hex = string;

type Channels = readonly [number, number, number];

function parseChannels(color: Hex): Channels {
  const value = Number.parseInt(color.slice(1, 7), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function formatHex(channels: Channels): Hex {
  const digits = channels.map((channel) =>
    Math.max(0, Math.min(255, Math.round(channel)))
      .toString(16)
      .padStart(2, "0"),
  );
  return `#${digits.join("")}`;
}

function channelwise(a: Hex, b: Hex, combine: (x: number, y: number) => number): Hex {
  const [r1, g1, b1] = parseChannels(a);
  const [r2, g2, b2] = parseChannels(b);
  return formatHex([combine(r1, r2), combine(g1, g2), combine(b1, b2)]);
}

/** Interpolates two colors, for light and shade on solid objects. */
export function mix(a: Hex, b: Hex, t: number): Hex {
  return channelwise(a, b, (x, y) => x + (y - x) * t);
}

/**
 * Two liquids stirred together, `t` parts of `b`. Liquids absorb light (Beer-Lambert), so they multiply
 * rather than average: coffee in milk stays golden, never gray.
 */
export function blend(a: Hex, b: Hex, t: number): Hex {
  return channelwise(a, b, (x, y) => Math.exp(Math.log(x + 1) * (1 - t) + Math.log(y + 1) * t) - 1);
}

/** Mixes with warm light. */
export const lighter = (color: Hex, t: number): Hex => mix(color, "#FFFAF0", t);

/** Mixes with a brown shade. */
export const darker = (color: Hex, t: number): Hex => blend(color, "#2A1208", t);

/** Perceived lightness, 0 to 1. */
export function luma(color: Hex): number {
  const [r, g, b] = parseChannels(color);
  return (r * 0.299 + g * 0.587 + b * 0.114) / 255;
}

/** The saturation of a color, 0 to 1. */
export function chroma(color: Hex): number {
  const channels = parseChannels(color);
  return (Math.max(...channels) - Math.min(...channels)) / 255;
}
