import type { DrinkParams, Fruit, Ice, LatteArt, Layer, Lid, Vessel } from "../drink";
import type { Ingredient, Milk } from "../liquid/ingredients";
import type { DrizzleName, FlavorName, FoamName, MilkName, SyrupName, ToppingName } from "./vocabulary";
import { FLAVORS, MILKS, SYRUPS } from "./vocabulary";

/** The choices of a drink. The recipe has the defaults. */
export interface DrinkChoices {
  /** 0 to 3. */
  size?: number;
  iced?: boolean;
  /** For here: ceramic, mug or glass instead of paper and plastic. */
  here?: boolean;
  vessel?: Vessel;
  flavor?: FlavorName;
  milk?: MilkName;
  /** Total number of espresso shots. */
  shots?: number;
  /** Pumps of each syrup or sauce. */
  syrups?: Partial<Record<SyrupName, number>>;
  ice?: Ice;
  whip?: boolean;
  foam?: FoamName | "none";
  drizzle?: DrizzleName | "none";
  topping?: ToppingName | "none";
  fruit?: Fruit | "none";
  latteArt?: LatteArt;
  lid?: Lid;
}

/** The parameters set by a recipe. `art-for.ts` adds the others. */
export type Made = Pick<DrinkParams, "layers"> &
  Partial<
    Pick<
      DrinkParams,
      | "vessel"
      | "size"
      | "lid"
      | "ice"
      | "straw"
      | "whip"
      | "drizzle"
      | "topping"
      | "fruit"
      | "latteArt"
      | "blended"
      | "sleeve"
    >
  >;

/** The input of a recipe: choices with defaults. */
export interface Order extends DrinkChoices {
  size: number;
  iced: boolean;
  shots: number;
  syrups: Partial<Record<SyrupName, number>>;
}

export interface Recipe {
  /** The default number of espresso shots. */
  shots?: number;
  /** Only available cold. */
  cold?: true;
  /** The vessel for hot drinks for here. Ceramic by default. */
  here?: "mug" | "glass";
  make(order: Order): Made;
}

/** Creates a layer. Its share of the height is `part` over the sum of all parts. */
export const layer = (of: Ingredient, part: number, rest: Pick<Layer, "edge" | "mix"> = {}): Layer => ({
  of,
  part,
  ...rest,
});

/** The milk of the order; whole by default. */
export const getMilk = ({ milk }: Pick<Order, "milk">): Milk => MILKS[milk ?? "whole"];

export const getFlavor = ({ flavor }: Pick<Order, "flavor">, defaultFlavor: FlavorName): Ingredient =>
  FLAVORS[flavor ?? defaultFlavor];

/** Returns how the syrups tint the milk, by their strength and number of pumps. */
export function sweetened({ syrups }: Pick<Order, "syrups">): Partial<Record<Ingredient, number>> {
  const mix: Partial<Record<Ingredient, number>> = {};
  for (const [name, pumps] of Object.entries(syrups) as [SyrupName, number][]) {
    const syrup: { of?: Ingredient; strength: number } = SYRUPS[name];
    if (!syrup.of || pumps <= 0) continue;
    mix[syrup.of] = Math.min(0.5, syrup.strength * (0.6 + 0.2 * pumps));
  }
  return mix;
}

/** Coffee stirred into steamed milk, with `foam` parts of ten on top. */
export function steamed(order: Order, foam: number, strength = 1): Layer[] {
  const espresso = Math.min(0.5, (0.09 * order.shots * strength) / (0.75 + order.size * 0.18));
  const mix = { ...sweetened(order), ...(espresso > 0 ? { espresso } : {}) };
  return [layer(getMilk(order), 10 - foam, { mix }), layer("foam", foam, { edge: "sharp" })];
}

/** Coffee poured over cold milk. */
export function fallen(order: Order, coffee: Ingredient = "espresso"): Layer[] {
  const milk = layer(getMilk(order), 6, { mix: sweetened(order) });
  if (order.shots === 0) return [milk];
  return [milk, layer(coffee, Math.min(5, 1.5 + order.shots * 1.1 - order.size * 0.2), { edge: "swirl" })];
}

/** A black drink with optional milk. */
export function black(order: Order, of: Ingredient): Layer[] {
  const mix = sweetened(order);
  if (!order.milk) return [layer(of, 1, { mix })];
  if (order.iced)
    return [layer(of, 6), layer(getMilk(order), 2, { edge: "swirl", mix: { ...mix, coffee: 0.12 } })];
  return [layer(getMilk(order), 1, { mix: { ...mix, coffee: 0.62 } })];
}
