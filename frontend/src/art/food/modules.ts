import type { Food } from "./food";
import type { FoodKind } from "./kinds";

/** Imports the drawings of a kind of food. Each has a chunk of its own: a menu loads those that it shows. */
export const FOOD_MODULES = {
  croissant: async () => (await import("./croissant")).croissant,
  muffin: async () => (await import("./muffin")).muffin,
  cookie: async () => (await import("./cookie")).cookie,
  bagel: async () => (await import("./bagel")).bagel,
  sandwich: async () => (await import("./sandwich")).sandwich,
  loaf: async () => (await import("./loaf")).loaf,
  scone: async () => (await import("./scone")).scone,
  doughnut: async () => (await import("./doughnut")).doughnut,
  brownie: async () => (await import("./brownie")).brownie,
  roll: async () => (await import("./roll")).roll,
  danish: async () => (await import("./danish")).danish,
  "cake-pop": async () => (await import("./cake-pop")).cakePop,
  toast: async () => (await import("./toast")).toast,
  "egg-bites": async () => (await import("./egg-bites")).eggBites,
  wrap: async () => (await import("./wrap")).wrap,
  oatmeal: async () => (await import("./oatmeal")).oatmeal,
  parfait: async () => (await import("./parfait")).parfait,
  box: async () => (await import("./snack-box")).snackBox,
  beans: async () => (await import("./beans")).beans,
} satisfies Record<FoodKind, () => Promise<Food>>;
