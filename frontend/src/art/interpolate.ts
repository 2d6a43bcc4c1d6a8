import type { DrinkParams, Layer } from "./drink";
import { type Ingredient, isMilk } from "./liquid/ingredients";

const between = (from: number, to: number, t: number): number => from + (to - from) * t;

/** All milks have the same role, so that whole milk blends into oat milk. */
const role = ({ of }: Layer): string => (isMilk(of) ? "milk" : of);

/** Layers with parts that sum to 1, so that two drinks can be compared. */
function shares(layers: readonly Layer[]): Layer[] {
  const sum = layers.reduce((total, { part }) => total + part, 0) || 1;
  return layers.map((layer) => ({ ...layer, part: layer.part / sum }));
}

type Pair = readonly [from: Layer | undefined, to: Layer | undefined];

/** Pairs the layers of two drinks in order: the longest common subsequence by role. */
function pairLayers(from: readonly Layer[], to: readonly Layer[]): readonly Pair[] {
  const [a, ...restA] = from;
  const [b, ...restB] = to;
  if (!a) return to.map((layer): Pair => [undefined, layer]);
  if (!b) return from.map((layer): Pair => [layer, undefined]);
  if (role(a) === role(b)) return [[a, b], ...pairLayers(restA, restB)];
  const withoutA = pairLayers(restA, to);
  const withoutB = pairLayers(from, restB);
  const countPairs = (pairs: readonly Pair[]) => pairs.filter(([x, y]) => x && y).length;
  return countPairs(withoutA) >= countPairs(withoutB)
    ? [[a, undefined], ...withoutA]
    : [[undefined, b], ...withoutB];
}

function mixBetween(from: Layer, to: Layer, t: number): Layer["mix"] {
  const mix: Partial<Record<Ingredient, number>> = {};
  for (const name of Object.keys({ ...from.mix, ...to.mix }) as Ingredient[]) {
    mix[name] = between(from.mix?.[name] ?? 0, to.mix?.[name] ?? 0, t);
  }
  // A change of milk is drawn as stirring the new milk in.
  return from.of === to.of ? mix : { ...mix, [to.of]: t };
}

function layerBetween([from, to]: Pair, t: number): Layer[] {
  if (from && to) {
    return [{ ...to, of: from.of, part: between(from.part, to.part, t), mix: mixBetween(from, to, t) ?? {} }];
  }
  if (from) return [{ ...from, part: from.part * (1 - t) }];
  return to ? [{ ...to, part: to.part * t }] : [];
}

/**
 * Interpolates size, fill level and layers of two drinks; `t` is 0 to 1. Other parameters come from `to`. Returns `to` for
 * different vessels.
 */
export function interpolate(from: DrinkParams, to: DrinkParams, t: number): DrinkParams {
  if (t >= 1 || from.vessel !== to.vessel) return to;
  const layers = pairLayers(shares(from.layers), shares(to.layers)).flatMap((pair) => layerBetween(pair, t));
  return {
    ...to,
    size: between(from.size ?? 1, to.size ?? 1, t),
    fill: between(from.fill ?? 1, to.fill ?? 1, t),
    layers,
  };
}
