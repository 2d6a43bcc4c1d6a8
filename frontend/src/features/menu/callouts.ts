/** What is pointed at in the drawing of a drink: its coffee, its milk, its syrups, with a place on the sheet each. */
import type { DrinkParams } from "@/art/drink";
import { heightOf, type SheetPoint, wallPoint } from "@/art/layer-points";
import { MILKS } from "@/art/recipes/vocabulary";
import { nameOf, plural } from "./format";
import type { Choice, Group, Item } from "./queries";
import { isDefault, quantityOf, type Selection } from "./selection";

export interface Callout {
  name: string;
  what: string;
  at: SheetPoint;
}

interface Picked {
  group: Group;
  choice: Choice;
  quantity: number;
}

/** More than three crowd the drawing. */
const MOST = 3;
const MILK_LAYERS = new Set<string>(Object.values(MILKS));
const COFFEE_LAYERS = new Set(["espresso", "coffee", "coldbrew", "matcha", "chai"]);

/** From the top of the drink down; none for vessels that one cannot see into. */
export function calloutsOf(item: Item, selection: Selection, params: DrinkParams): Callout[] {
  const picked = pickedOf(item, selection);
  const drafts = [
    foam(picked),
    espresso(picked, params),
    milk(picked, selection, params),
    syrups(picked),
  ].filter((draft) => draft !== undefined);
  return drafts
    .slice(0, MOST)
    .sort((a, b) => b.height - a.height)
    .flatMap(({ height, ...words }) => {
      const at = wallPoint(params, height);
      return at ? [{ ...words, at }] : [];
    });
}

type Draft = Omit<Callout, "at"> & { height: number };

function pickedOf(item: Item, selection: Selection): Picked[] {
  return item.modifications.flatMap((group) =>
    group.choices
      .map((choice) => ({ group, choice, quantity: quantityOf(selection, group, choice) }))
      .filter(({ quantity }) => quantity > 0),
  );
}

const isOf =
  (...keys: string[]) =>
  ({ choice }: Picked): boolean =>
    keys.includes(choice.artKey.split(":", 1)[0] ?? "");

function foam(picked: Picked[]): Draft | undefined {
  const found = picked.find(isOf("foam"));
  return found && { name: nameOf(found.group, found.choice), what: "on top", height: 0.97 };
}

function espresso(picked: Picked[], params: DrinkParams): Draft | undefined {
  const shots = picked.filter(isOf("shots", "extra-shot")).reduce((sum, { quantity }) => sum + quantity, 0);
  if (shots === 0) return undefined;
  const height = heightOf(params, (of) => COFFEE_LAYERS.has(of)) ?? 0.86;
  return { name: "Espresso", what: `${shots} ${plural(shots, "shot")}`, height };
}

function milk(picked: Picked[], selection: Selection, params: DrinkParams): Draft | undefined {
  const found = picked.find((one) => isOf("milk")(one) && one.group.max === 1);
  if (!found) return undefined;
  const { group, choice } = found;
  const usual = group.choices.find(({ defaultQuantity }) => defaultQuantity > 0);
  const changed = usual && !isDefault(selection, group);
  return {
    name: nameOf(group, choice),
    what: changed ? `instead of ${usual.name.toLowerCase()}` : params.iced ? "over ice" : "steamed",
    height: heightOf(params, (of) => MILK_LAYERS.has(of)) ?? 0.5,
  };
}

function syrups(picked: Picked[]): Draft | undefined {
  const found = picked.filter(isOf("syrup", "sauce"));
  const [first, second, ...rest] = found;
  if (!first) return undefined;
  const pumps = found.reduce((sum, { quantity }) => sum + quantity, 0);
  const names =
    rest.length > 0 ? `${found.length} syrups` : [first, second].filter((one) => one !== undefined);
  return {
    name: typeof names === "string" ? names : names.map(({ choice }) => choice.name).join(", "),
    what: `${pumps} ${plural(pumps, "pump")}`,
    height: 0.08,
  };
}
