/** An item with every kind of group. */
import { cents } from "@/lib/money";
import type { Choice, Group, Item } from "../queries";

type Draft = Partial<Omit<Choice, "prices">> & { price?: number | Record<string, number> };

const SIZES = ["medium", "large", "extra"];

function choice(choiceId: string, name: string, { price = 0, ...rest }: Draft = {}): Choice {
  const getPrice = (size: string) => (typeof price === "number" ? price : (price[size] ?? 0));
  const calories = rest.calories ?? 0;
  return {
    choiceId,
    name,
    prices: SIZES.map((sizeId) => ({ sizeId, price: cents(getPrice(sizeId)), calories })),
    maxQuantity: 1,
    defaultQuantity: 0,
    soldOut: false,
    allergens: [],
    artKey: "",
    calories,
    ...rest,
  };
}

const group = (
  modificationId: string,
  name: string,
  [min, max, included]: [number, number, number],
  choices: Choice[],
): Group => ({ modificationId, name, min, max, included, choices });

const pump = { maxQuantity: 6, calories: 20 };

export const icedVanillaLatte: Item = {
  itemId: "iced-vanilla-latte",
  categoryId: "iced",
  name: "Iced Vanilla Latte",
  description: "An iced latte sweetened with vanilla.",
  kind: "drink",
  art: { kind: "drink", base: "latte", iced: true, syrups: { vanilla: 2 }, foam: "vanilla", sizeFrom: 1 },
  allergens: [],
  soldOut: false,
  sizes: [
    { sizeId: "medium", name: "Medium", ounces: 12, price: cents(525), calories: 160 },
    { sizeId: "large", name: "Large", ounces: 16, price: cents(580), calories: 190 },
    { sizeId: "extra", name: "Extra large", ounces: 24, price: cents(645), calories: 260 },
  ].map((size, index) => ({ ...size, caffeineMg: 150, soldOut: false, isDefault: index === 0 })),
  modifications: [
    group(
      "milk",
      "Milk",
      [1, 1, 0],
      [
        choice("whole", "Whole", { artKey: "milk:whole", defaultQuantity: 1, allergens: ["milk"] }),
        choice("oat", "Oat", {
          artKey: "milk:oat",
          price: { medium: 70, large: 70, extra: 90 },
          calories: -20,
          allergens: ["gluten"],
        }),
        choice("coconut", "Coconut", { artKey: "milk:coconut", price: 70, soldOut: true }),
      ],
    ),
    group(
      "shots",
      "Espresso",
      [1, 6, 2],
      [choice("shot", "Shot", { artKey: "shots", price: 100, maxQuantity: 6, defaultQuantity: 2 })],
    ),
    group(
      "syrup",
      "Syrup",
      [0, 6, 2],
      [
        choice("vanilla", "Vanilla", { ...pump, artKey: "syrup:vanilla", price: 30, defaultQuantity: 2 }),
        choice("caramel", "Caramel", { ...pump, artKey: "syrup:caramel", price: 30 }),
        choice("maple", "Maple", { ...pump, artKey: "syrup:maple", price: 35 }),
      ],
    ),
    group(
      "ice",
      "Ice",
      [1, 1, 0],
      [
        choice("none", "None", { artKey: "ice:none" }),
        choice("light", "Light", { artKey: "ice:light" }),
        choice("regular", "Regular", { artKey: "ice:regular", defaultQuantity: 1 }),
      ],
    ),
    group(
      "foam",
      "Cold foam",
      [0, 1, 1],
      [
        choice("vanilla-foam", "Vanilla", {
          artKey: "foam:vanilla",
          price: 125,
          defaultQuantity: 1,
          allergens: ["milk"],
        }),
        choice("matcha-foam", "Matcha", { artKey: "foam:matcha", price: 140 }),
      ],
    ),
    group(
      "topping",
      "Topping",
      [0, 2, 0],
      [
        choice("cinnamon", "Cinnamon", { artKey: "topping:cinnamon" }),
        choice("caramel-drizzle", "Caramel drizzle", { artKey: "drizzle:caramel", price: 50 }),
        choice("sea-salt", "Sea salt", { artKey: "topping:sea-salt" }),
      ],
    ),
  ],
};
