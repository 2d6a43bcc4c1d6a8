/** Callouts for the layers in the drawing of a drink: foam, coffee, milk and syrups. */
import type { DrinkParams } from "@/art/drink";
import { findLayerHeight, type SheetPoint, wallPoint } from "@/art/layer-points";
import { MILKS } from "@/art/recipes/vocabulary";
import { formatChoiceName, pluralize } from "./format";
import type { Choice, Group, Item } from "./queries";
import { getQuantity, isDefaultGroup, type Selection } from "./selection";

export interface Callout {
  name: string;
  detail: string;
  at: SheetPoint;
}

interface SelectedChoice {
  group: Group;
  choice: Choice;
  quantity: number;
}

const MAX_CALLOUTS = 3;
const MILK_LAYERS = new Set<string>(Object.values(MILKS));
const COFFEE_LAYERS = new Set([
  "espresso",
  "coffee",
  "darkroast",
  "blonderoast",
  "pourover",
  "coldbrew",
  "matcha",
  "chai",
]);

/** Returns the callouts from top to bottom; none for opaque vessels. */
export function createCallouts(item: Item, selection: Selection, params: DrinkParams): Callout[] {
  const picked = listSelectedChoices(item, selection);
  const drafts = [
    createFoamCallout(picked),
    createEspressoCallout(picked, params),
    createMilkCallout(picked, selection, params),
    createSyrupCallout(picked),
  ].filter((draft) => draft !== undefined);
  return drafts
    .slice(0, MAX_CALLOUTS)
    .sort((a, b) => b.height - a.height)
    .flatMap(({ height, ...callout }) => {
      const at = wallPoint(params, height);
      return at ? [{ ...callout, at }] : [];
    });
}

type Draft = Omit<Callout, "at"> & { height: number };

function listSelectedChoices(item: Item, selection: Selection): SelectedChoice[] {
  return item.modifications.flatMap((group) =>
    group.choices
      .map((choice) => ({ group, choice, quantity: getQuantity(selection, group, choice) }))
      .filter(({ quantity }) => quantity > 0),
  );
}

const hasArtKey =
  (...keys: string[]) =>
  ({ choice }: SelectedChoice): boolean =>
    keys.includes(choice.artKey.split(":", 1)[0] ?? "");

function createFoamCallout(picked: SelectedChoice[]): Draft | undefined {
  const found = picked.find(hasArtKey("foam"));
  return found && { name: formatChoiceName(found.group, found.choice), detail: "on top", height: 0.97 };
}

function createEspressoCallout(picked: SelectedChoice[], params: DrinkParams): Draft | undefined {
  const shots = picked
    .filter(hasArtKey("shots", "extra-shot"))
    .reduce((sum, { quantity }) => sum + quantity, 0);
  if (shots === 0) return undefined;
  const height = findLayerHeight(params, (of) => COFFEE_LAYERS.has(of)) ?? 0.86;
  return { name: "Espresso", detail: `${shots} ${pluralize(shots, "shot")}`, height };
}

function createMilkCallout(
  picked: SelectedChoice[],
  selection: Selection,
  params: DrinkParams,
): Draft | undefined {
  const found = picked.find((one) => hasArtKey("milk")(one) && one.group.max === 1);
  if (!found) return undefined;
  const { group, choice } = found;
  const defaultChoice = group.choices.find(({ defaultQuantity }) => defaultQuantity > 0);
  const changed = defaultChoice && !isDefaultGroup(selection, group);
  return {
    name: formatChoiceName(group, choice),
    detail: changed ? `instead of ${defaultChoice.name.toLowerCase()}` : params.iced ? "over ice" : "steamed",
    height: findLayerHeight(params, (of) => MILK_LAYERS.has(of)) ?? 0.5,
  };
}

function createSyrupCallout(picked: SelectedChoice[]): Draft | undefined {
  const selected = picked.filter(hasArtKey("syrup", "sauce"));
  const [first, second, ...rest] = selected;
  if (!first) return undefined;
  const pumps = selected.reduce((sum, { quantity }) => sum + quantity, 0);
  const names =
    rest.length > 0 ? `${selected.length} syrups` : [first, second].filter((one) => one !== undefined);
  return {
    name: typeof names === "string" ? names : names.map(({ choice }) => choice.name).join(", "),
    detail: `${pumps} ${pluralize(pumps, "pump")}`,
    height: 0.08,
  };
}
