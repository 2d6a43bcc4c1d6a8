import { black, fallen, getMilk, layer, type Recipe, steamed, sweetened } from "./recipe";

/** Hot and iced drinks on espresso or brewed coffee. An espresso is always drawn in its cup, and a cortado in its glass. */
export const COFFEE = {
  espresso: {
    shots: 1,
    make: () => ({ vessel: "ceramic", size: 0, layers: [layer("espresso", 1)] }),
  },
  "espresso-macchiato": {
    shots: 1,
    make: ({ milk }) => ({
      vessel: "ceramic",
      size: 0,
      layers: [
        layer("espresso", 5, { mix: milk ? { caramel: 0.06 } : {} }),
        layer("foam", 1, { edge: "sharp" }),
      ],
      latteArt: "heart",
    }),
  },
  "con-panna": {
    shots: 1,
    make: () => ({ vessel: "ceramic", size: 0, layers: [layer("espresso", 1)], whip: true }),
  },
  cortado: {
    here: "glass",
    make: (order) => ({
      vessel: order.iced ? "cold" : "glass",
      layers: [
        layer("espresso", 1 + order.shots, { edge: "swirl" }),
        layer(getMilk(order), 4, { mix: { ...sweetened(order), espresso: 0.24 } }),
        layer("foam", 0.6, { edge: "sharp", mix: { espresso: 0.14 } }),
      ],
      latteArt: "heart",
    }),
  },
  "flat-white": {
    make: (order) =>
      order.iced
        ? { layers: fallen({ ...order, shots: order.shots + 0.6 }) }
        : { layers: steamed(order, 1, 1.35), latteArt: "heart" },
  },
  cappuccino: {
    make: (order) =>
      order.iced
        ? { layers: [...fallen(order), layer("foam", 2, { edge: "sharp" })] }
        : { layers: steamed(order, 4, 1.3) },
  },
  latte: {
    make: (order) =>
      order.iced ? { layers: fallen(order) } : { layers: steamed(order, 2), latteArt: "rosetta" },
  },
  macchiato: {
    make: (order) =>
      order.iced
        ? { layers: [layer("vanilla", 0.7), ...fallen(order)], drizzle: "caramel" }
        : { layers: [layer("vanilla", 0.6), ...steamed(order, 2)], drizzle: "caramel" },
  },
  mocha: {
    make: (order) => {
      if (order.iced)
        return { layers: [layer("mocha", 1.4), ...fallen(order)], whip: true, drizzle: "chocolate" };
      const layers = steamed({ ...order, syrups: { mocha: 4, ...order.syrups } }, 2);
      return order.whip === false
        ? { layers, topping: "cocoa" }
        : { layers, whip: true, drizzle: "chocolate" };
    },
  },
  "white-mocha": {
    make: (order) => {
      const sweet = { ...order, syrups: { "white-mocha": 4, ...order.syrups } };
      return order.iced
        ? { layers: [layer("whitemocha", 1.2), ...fallen(sweet)], whip: true }
        : { layers: steamed(sweet, 2), whip: true };
    },
  },
  americano: { here: "mug", make: (order) => ({ layers: withCrema(order) }) },
  "red-eye": { here: "mug", shots: 1, make: (order) => ({ layers: withCrema(order), sleeve: "red" }) },
  drip: { here: "mug", shots: 0, make: (order) => ({ layers: black(order, "coffee") }) },
  "dark-roast": {
    here: "mug",
    shots: 0,
    make: (order) => ({ layers: black(order, "darkroast"), sleeve: "black" }),
  },
  "blonde-roast": {
    here: "mug",
    shots: 0,
    make: (order) => ({ layers: black(order, "blonderoast"), sleeve: "kraft" }),
  },
  decaf: { here: "mug", shots: 0, make: (order) => ({ layers: black(order, "coffee"), sleeve: "sage" }) },
  "pour-over": {
    here: "mug",
    shots: 0,
    make: (order) => ({ layers: black(order, "pourover"), sleeve: "clay" }),
  },
  "iced-coffee": { cold: true, shots: 0, make: (order) => ({ layers: black(order, "coffee") }) },
  misto: {
    here: "mug",
    shots: 0,
    make: (order) => ({
      layers: [
        layer(getMilk(order), 9, { mix: { ...sweetened(order), coffee: 0.3 } }),
        layer("foam", 1, { edge: "sharp" }),
      ],
    }),
  },
  "cold-brew": { cold: true, shots: 0, make: (order) => ({ layers: black(order, "coldbrew") }) },
  nitro: {
    cold: true,
    shots: 0,
    make: () => ({
      layers: [layer("coldbrew", 8), layer("head", 1.2, { edge: "sharp" })],
      ice: "none",
      straw: false,
    }),
  },
  "cold-brew-latte": { cold: true, shots: 2, make: (order) => ({ layers: fallen(order, "coldbrew") }) },
  "shaken-espresso": {
    cold: true,
    shots: 3,
    make: (order) => ({
      layers: [
        layer("espresso", 2 + order.shots, { mix: sweetened(order) }),
        layer(getMilk(order), 3, { edge: "swirl", mix: { espresso: 0.08 } }),
      ],
    }),
  },
  "espresso-tonic": {
    cold: true,
    make: (order) => ({
      layers: [layer("water", 6), layer("espresso", 1 + order.shots * 0.8, { edge: "swirl" })],
      fruit: "orange",
    }),
  },
  frappe: {
    cold: true,
    make: (order) => ({
      ...blended,
      layers: [
        layer(getMilk(order), 1, {
          mix: { espresso: 0.06 * order.shots, ...sweetened(withFlavor(order)) },
        }),
      ],
    }),
  },
  "frappe-creme": {
    cold: true,
    shots: 0,
    make: (order) => ({
      ...blended,
      layers: [layer(getMilk(order), 1, { mix: sweetened(withFlavor(order)) })],
    }),
  },
} as const satisfies Record<string, Recipe>;

/** Black coffee under the crema of its shots. */
function withCrema(order: Parameters<Recipe["make"]>[0]) {
  const layers = black(order, "coffee");
  return order.iced || order.milk ? layers : [...layers, layer("espresso", 0.1)];
}

const blended = { ice: "none", blended: true, lid: "dome", whip: true } as const;

/** The flavor of a blended drink: three pumps by default. */
function withFlavor(order: Parameters<Recipe["make"]>[0]) {
  const flavor = order.flavor;
  const sauce = flavor && flavor in FLAVOR_PUMPS ? { [flavor]: 3 } : {};
  return { syrups: { ...sauce, ...order.syrups } };
}

const FLAVOR_PUMPS = {
  matcha: true,
  chai: true,
  strawberry: true,
  raspberry: true,
  mocha: true,
  caramel: true,
  vanilla: true,
  "white-mocha": true,
  pumpkin: true,
};
