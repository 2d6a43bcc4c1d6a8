import type { Fruit } from "../drink";
import type { Ingredient } from "../liquid/ingredients";
import { fallen, getFlavor, getMilk, layer, type Order, type Recipe, steamed, sweetened } from "./recipe";

/** Fruit slices by flavor. */
const SLICES: Partial<Record<Ingredient, Fruit>> = {
  lemonade: "lemon",
  lime: "lime",
  orange: "orange",
  peach: "orange",
  mango: "orange",
  strawberry: "strawberry",
  raspberry: "strawberry",
  hibiscus: "lemon",
  dragonfruit: "strawberry",
};

/** Flavored milk with a little foam. Iced: milk on top. */
function warm(order: Order, of: Ingredient, strength: number) {
  const mix = { ...sweetened(order), [of]: strength };
  if (order.iced) return [layer(of, 5), layer(getMilk(order), 3, { edge: "swirl", mix: sweetened(order) })];
  return [layer(getMilk(order), 8, { mix }), layer("foam", 2, { edge: "sharp" })];
}

/** Teas, chocolate, and cold drinks without coffee. */
export const TEA_AND_FRUIT = {
  matcha: {
    make: (order) =>
      order.iced
        ? {
            layers: [
              layer(getMilk(order), 5, { mix: sweetened(order) }),
              layer("matcha", 4, { edge: "swirl" }),
            ],
          }
        : {
            layers: [
              layer("matcha", 8, { mix: { [getMilk(order)]: 0.45, ...sweetened(order) } }),
              layer("foam", 1, { mix: { matcha: 0.22 }, edge: "sharp" }),
            ],
            latteArt: "tulip",
          },
  },
  chai: { make: (order) => ({ layers: warm(order, "chai", 0.55) }) },
  "dirty-chai": {
    shots: 1,
    make: (order) =>
      order.iced
        ? { layers: [layer("chai", 3), ...fallen(order)] }
        : {
            layers: [
              layer(getMilk(order), 8, {
                mix: { ...sweetened(order), chai: 0.5, espresso: 0.08 * order.shots },
              }),
              layer("foam", 2, { edge: "sharp" }),
            ],
            latteArt: "heart",
          },
  },
  golden: { shots: 0, make: (order) => ({ layers: warm(order, "turmeric", 0.5), topping: "cinnamon" }) },
  tea: {
    here: "mug",
    make: (order) => {
      const tea = getFlavor(order, "black");
      if (!order.milk) return { layers: [layer(tea, 1, { mix: sweetened(order) })] };
      return { layers: [layer(getMilk(order), 1, { mix: { [tea]: 0.7 } })] };
    },
  },
  "tea-latte": {
    make: (order) => ({ layers: warm(order, getFlavor(order, "black"), 0.4), latteArt: "heart" }),
  },
  "hot-chocolate": {
    here: "mug",
    shots: 0,
    make: (order) => ({
      layers: steamed({ ...order, syrups: { mocha: 5, ...order.syrups } }, 2),
      whip: true,
    }),
  },
  "white-hot-chocolate": {
    here: "mug",
    shots: 0,
    make: (order) => ({
      layers: steamed({ ...order, syrups: { "white-mocha": 6, ...order.syrups } }, 2),
      whip: true,
    }),
  },
  steamer: {
    here: "mug",
    shots: 0,
    make: (order) => ({ layers: warm({ ...order, iced: false }, getFlavor(order, "vanilla"), 0.14) }),
  },
  milk: {
    here: "glass",
    shots: 0,
    make: (order) => ({ layers: [layer(getMilk(order), 1, { mix: sweetened(order) })], ice: "none" }),
  },
  cider: { here: "mug", make: (order) => ({ layers: [layer("apple", 1, { mix: sweetened(order) })] }) },
  "iced-tea": {
    cold: true,
    make: (order) => ({ layers: [layer(getFlavor(order, "black"), 1)], fruit: "lemon" }),
  },
  "tea-lemonade": {
    cold: true,
    make: (order) => ({
      layers: [layer("lemonade", 4), layer(getFlavor(order, "black"), 4, { edge: "swirl" })],
      fruit: "lemon",
    }),
  },
  lemonade: {
    cold: true,
    make: (order) => {
      const flavor = getFlavor(order, "lemon");
      const layers =
        flavor === "lemonade"
          ? [layer("lemonade", 1)]
          : [layer(flavor, 2.6), layer("lemonade", 5, { edge: "swirl" })];
      return { layers, fruit: "lemon" };
    },
  },
  hibiscus: {
    cold: true,
    make: () => ({ layers: [layer("lemonade", 3), layer("hibiscus", 5, { edge: "swirl" })], fruit: "lemon" }),
  },
  "peach-tea": {
    cold: true,
    make: () => ({ layers: [layer("peach", 3), layer("blacktea", 5, { edge: "swirl" })], fruit: "orange" }),
  },
  refresher: {
    cold: true,
    make: (order) => {
      const flavor = getFlavor(order, "strawberry");
      return {
        layers: [layer(flavor, 4), layer("water", 3, { edge: "swirl", mix: { [flavor]: 0.42 } })],
        fruit: SLICES[flavor],
      };
    },
  },
  "pink-drink": {
    cold: true,
    make: (order) => ({
      layers: [
        layer("strawberry", 2.4),
        layer("coconut", 6, { edge: "swirl", mix: { [getFlavor(order, "strawberry")]: 0.34 } }),
      ],
      fruit: "strawberry",
    }),
  },
  sparkling: {
    cold: true,
    make: (order) => {
      const flavor = getFlavor(order, "lime");
      return { layers: [layer("water", 1, { mix: { [flavor]: 0.4 } })], fruit: SLICES[flavor] };
    },
  },
  juice: { cold: true, make: (order) => ({ layers: [layer(getFlavor(order, "orange"), 1)], ice: "none" }) },
  water: { cold: true, make: () => ({ layers: [layer("water", 1)] }) },
  smoothie: {
    cold: true,
    make: (order) => {
      const flavor = getFlavor(order, "strawberry");
      return {
        layers: [layer(getMilk(order), 1, { mix: { ...sweetened(order), [flavor]: 0.62 } })],
        ice: "none",
        blended: true,
      };
    },
  },
} as const satisfies Record<string, Recipe>;
