import { describe, expect, it } from "vitest";
import { cents } from "@/lib/money";
import { listChangedChoices, toCartLine } from "./cart-line";
import { describeSelection, formatGroupRule } from "./format";
import {
  calculateAddedCost,
  calculateCalories,
  calculateUnitPrice,
  findCheapestSize,
  getCaffeine,
  listAllergens,
} from "./pricing";
import type { Choice, Group } from "./queries";
import {
  canAdd,
  canRemove,
  createDefaultSelection,
  createSelectionFromLine,
  findIncompleteGroup,
  getQuantity,
  setChoiceQuantity,
} from "./selection";
import { icedVanillaLatte } from "./testing/items";

const item = icedVanillaLatte;
const start = createDefaultSelection(item);
const group = (name: string): Group => item.modifications.find((g) => g.name === name) as Group;
const choice = (name: string, of: string): Choice => group(of).choices.find((c) => c.name === name) as Choice;
const taking = (selection: typeof start, of: string, name: string, quantity = 1) =>
  setChoiceQuantity(selection, group(of), choice(name, of), quantity);
const count = (selection: typeof start, of: string, name: string) =>
  getQuantity(selection, group(of), choice(name, of));

describe("the cheapest size", () => {
  const withSizes = (change: (size: (typeof item.sizes)[number]) => object) => ({
    ...item,
    sizes: item.sizes.map((size) => ({ ...size, ...change(size) })),
  });

  it("is available", () => {
    expect(findCheapestSize(item)).toBe("medium");
    expect(findCheapestSize(withSizes(({ sizeId }) => ({ soldOut: sizeId === "medium" })))).toBe("large");
    expect(findCheapestSize(withSizes(() => ({ soldOut: true })))).toBeUndefined();
  });

  it("includes the default choices, whose price depends on the size", () => {
    const oatByDefault = {
      ...withSizes(({ sizeId }) => (sizeId === "extra" ? { price: cents(500) } : {})),
      modifications: item.modifications.map((modification) => ({
        ...modification,
        choices: modification.choices.map((choice) =>
          modification.name === "Milk"
            ? { ...choice, defaultQuantity: choice.name === "Oat" ? 1 : 0 }
            : choice,
        ),
      })),
    };
    // Extra large costs 5.00 and its oat milk 0.90; medium costs 5.25 and its oat milk 0.70.
    expect(findCheapestSize(oatByDefault)).toBe("extra");
    const dearer = {
      ...oatByDefault,
      sizes: oatByDefault.sizes.map((size) =>
        size.sizeId === "extra" ? { ...size, price: cents(510) } : size,
      ),
    };
    // 6.00 and 5.95.
    expect(findCheapestSize(dearer)).toBe("medium");
  });
});

describe("limits", () => {
  it("starts with the defaults of the item", () => {
    expect(start.sizeId).toBe("medium");
    expect(count(start, "Syrup", "Vanilla")).toBe(2);
    expect(findIncompleteGroup(item, start)).toBeUndefined();
  });

  it("replaces the choice in a group with a maximum of 1", () => {
    const oat = taking(start, "Milk", "Oat");
    expect([count(oat, "Milk", "Oat"), count(oat, "Milk", "Whole")]).toEqual([1, 0]);
    expect(taking(oat, "Milk", "Oat", 0)).toBe(oat);
  });

  it("stops at the maximum of the group", () => {
    const six = taking(start, "Syrup", "Caramel", 4);
    expect(canAdd(six, group("Syrup"), choice("Vanilla", "Syrup"))).toBe(false);
    expect(taking(six, "Syrup", "Vanilla", 3)).toBe(six);
    expect(formatGroupRule(group("Syrup"), 6)).toBe("6 of 6 pumps");
  });

  it("keeps the minimum of the group", () => {
    const one = taking(start, "Espresso", "Shot", 1);
    expect(canRemove(one, group("Espresso"), choice("Shot", "Espresso"))).toBe(false);
    expect(taking(one, "Espresso", "Shot", 0)).toBe(one);
  });

  it("skips sold-out choices and requires another choice when the default is sold out", () => {
    expect(taking(start, "Milk", "Coconut")).toBe(start);
    const without = {
      ...item,
      modifications: item.modifications.map((g) => ({
        ...g,
        choices: g.choices.map((c) => (c.name === "Whole" ? { ...c, soldOut: true } : c)),
      })),
    };
    expect(findIncompleteGroup(without, createDefaultSelection(without))?.name).toBe("Milk");
  });

  it("can remove a default", () => {
    const none = taking(start, "Cold foam", "Vanilla", 0);
    expect(count(none, "Cold foam", "Vanilla")).toBe(0);
    expect(listChangedChoices(item, none)).toEqual([
      {
        modificationId: "foam",
        choiceId: "vanilla-foam",
        quantity: 0,
        name: "No vanilla cold foam",
        artKey: "foam:vanilla",
      },
    ]);
  });
});

describe("price", () => {
  it("depends on the size, for the item and its choices", () => {
    const oat = taking(start, "Milk", "Oat");
    expect(calculateUnitPrice(item, oat)).toEqual(cents(525 + 70));
    expect(calculateUnitPrice(item, { ...oat, sizeId: "extra" })).toEqual(cents(645 + 90));
    expect(calculateAddedCost({ ...start, sizeId: "extra" }, group("Milk"), choice("Oat", "Milk"))).toBe(90);
  });

  it("is unknown without a size", () => {
    expect(calculateUnitPrice({ ...item, sizes: [] }, start)).toBeUndefined();
  });

  it("includes the cheapest choices", () => {
    // Two pumps are included. With two vanilla at 30 and one maple at 35, the maple is charged.
    const maple = taking(start, "Syrup", "Maple");
    expect(calculateUnitPrice(item, maple)).toEqual(cents(525 + 35));
    expect(calculateAddedCost(start, group("Syrup"), choice("Vanilla", "Syrup"))).toBe(30);
  });

  it("applies no discount for removed defaults", () => {
    expect(calculateUnitPrice(item, taking(start, "Syrup", "Vanilla", 0))).toEqual(cents(525));
  });
});

describe("nutrition and description", () => {
  it("counts calories from the default item", () => {
    expect(calculateCalories(item, start)).toBe(160);
    expect(calculateCalories(item, taking(taking(start, "Milk", "Oat"), "Syrup", "Vanilla", 1))).toBe(
      160 - 20 - 20,
    );
  });

  it("lists the allergens of the selected choices, not of the replaced defaults", () => {
    const foamless = taking(start, "Cold foam", "Vanilla", 0);
    expect(listAllergens(item, foamless)).toEqual(["milk"]);
    expect(listAllergens(item, taking(foamless, "Milk", "Oat"))).toEqual(["gluten"]);
  });

  it("shows caffeine for the default choices only", () => {
    expect(getCaffeine(item, start)).toBe(150);
    expect(getCaffeine(item, taking(start, "Espresso", "Shot", 3))).toBeNull();
    expect(getCaffeine(item, taking(start, "Milk", "Oat"))).toBeNull();
  });

  it("describes the whole drink", () => {
    const drink = taking(taking(taking(start, "Milk", "Oat"), "Syrup", "Vanilla", 1), "Ice", "None");
    expect(describeSelection(item, start)).toBe("Medium iced vanilla latte");
    expect(describeSelection(item, taking(drink, "Espresso", "Shot", 3))).toBe(
      "Medium iced vanilla latte, oat milk, 3 shots, 1 pump vanilla, no ice",
    );
  });
});

it("restores the selection from a cart line", () => {
  const drink = taking(taking(taking(start, "Milk", "Oat"), "Syrup", "Maple", 3), "Cold foam", "Vanilla", 0);
  const line = toCartLine(item, drink, 2);
  expect(line).toMatchObject({ quantity: 2, sizeIndex: 0, sizeName: "Medium" });
  expect(line && createSelectionFromLine(item, line)).toEqual(drink);
});
