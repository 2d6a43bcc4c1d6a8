import { describe, expect, it } from "vitest";
import { cents } from "@/lib/money";
import { changedChoices, toCartLine } from "./cart-line";
import { formatGroupRule, spoken } from "./format";
import { allergensOf, caffeineOf, caloriesOf, costOf, unitPrice } from "./pricing";
import type { Choice, Group } from "./queries";
import {
  canAdd,
  canRemove,
  defaultSelection,
  firstIncompleteGroup,
  quantityOf,
  selectionFromLine,
  take,
} from "./selection";
import { icedVanillaLatte } from "./testing/items";

const item = icedVanillaLatte;
const start = defaultSelection(item);
const group = (name: string): Group => item.modifications.find((g) => g.name === name) as Group;
const choice = (name: string, of: string): Choice => group(of).choices.find((c) => c.name === name) as Choice;
const taking = (selection: typeof start, of: string, name: string, quantity = 1) =>
  take(selection, group(of), choice(name, of), quantity);
const count = (selection: typeof start, of: string, name: string) =>
  quantityOf(selection, group(of), choice(name, of));

describe("limits", () => {
  it("starts with the item as it comes", () => {
    expect(start.sizeId).toBe("medium");
    expect(count(start, "Syrup", "Vanilla")).toBe(2);
    expect(firstIncompleteGroup(item, start)).toBeUndefined();
  });

  it("changes one for another where there is one", () => {
    const oat = taking(start, "Milk", "Oat");
    expect([count(oat, "Milk", "Oat"), count(oat, "Milk", "Whole")]).toEqual([1, 0]);
    expect(taking(oat, "Milk", "Oat", 0)).toBe(oat);
  });

  it("takes as many as the group holds and no more", () => {
    const six = taking(start, "Syrup", "Caramel", 4);
    expect(canAdd(six, group("Syrup"), choice("Vanilla", "Syrup"))).toBe(false);
    expect(taking(six, "Syrup", "Vanilla", 3)).toBe(six);
    expect(formatGroupRule(group("Syrup"), 6)).toBe("6 of 6 pumps");
  });

  it("leaves as many as the group needs", () => {
    const one = taking(start, "Espresso", "Shot", 1);
    expect(canRemove(one, group("Espresso"), choice("Shot", "Espresso"))).toBe(false);
    expect(taking(one, "Espresso", "Shot", 0)).toBe(one);
  });

  it("takes nothing that is sold out, and asks for a choice where the usual one is", () => {
    expect(taking(start, "Milk", "Coconut")).toBe(start);
    const without = {
      ...item,
      modifications: item.modifications.map((g) => ({
        ...g,
        choices: g.choices.map((c) => (c.name === "Whole" ? { ...c, soldOut: true } : c)),
      })),
    };
    expect(firstIncompleteGroup(without, defaultSelection(without))?.name).toBe("Milk");
  });

  it("may leave out what the item comes with", () => {
    const none = taking(start, "Cold foam", "Vanilla", 0);
    expect(count(none, "Cold foam", "Vanilla")).toBe(0);
    expect(changedChoices(item, none)).toEqual([
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
  it("follows the size, of the item and of its choices", () => {
    const oat = taking(start, "Milk", "Oat");
    expect(unitPrice(item, oat)).toEqual(cents(525 + 70));
    expect(unitPrice(item, { ...oat, sizeId: "extra" })).toEqual(cents(645 + 90));
    expect(costOf({ ...start, sizeId: "extra" }, group("Milk"), choice("Oat", "Milk"))).toBe(90);
  });

  it("includes the cheapest", () => {
    // Two pumps are included: with two of vanilla at 30 and one of maple at 35, the maple is paid for.
    const maple = taking(start, "Syrup", "Maple");
    expect(unitPrice(item, maple)).toEqual(cents(525 + 35));
    expect(costOf(start, group("Syrup"), choice("Vanilla", "Syrup"))).toBe(30);
  });

  it("gives nothing back for less than the item comes with", () => {
    expect(unitPrice(item, taking(start, "Syrup", "Vanilla", 0))).toEqual(cents(525));
  });
});

describe("what is in it", () => {
  it("counts calories from the item as it comes", () => {
    expect(caloriesOf(item, start)).toBe(160);
    expect(caloriesOf(item, taking(taking(start, "Milk", "Oat"), "Syrup", "Vanilla", 1))).toBe(160 - 20 - 20);
  });

  it("names the allergens of what is chosen, not of what it stands for", () => {
    const foamless = taking(start, "Cold foam", "Vanilla", 0);
    expect(allergensOf(item, foamless)).toEqual(["milk"]);
    expect(allergensOf(item, taking(foamless, "Milk", "Oat"))).toEqual(["gluten"]);
  });

  it("says nothing of caffeine once the shots are others", () => {
    expect(caffeineOf(item, start)).toBe(150);
    expect(caffeineOf(item, taking(start, "Espresso", "Shot", 3))).toBeNull();
  });

  it("reads out the whole drink", () => {
    const drink = taking(taking(taking(start, "Milk", "Oat"), "Syrup", "Vanilla", 1), "Ice", "None");
    expect(spoken(item, start)).toBe("Medium iced vanilla latte");
    expect(spoken(item, taking(drink, "Espresso", "Shot", 3))).toBe(
      "Medium iced vanilla latte, oat milk, 3 shots, 1 pump vanilla, no ice",
    );
  });
});

it("comes back from the cart as it went in", () => {
  const drink = taking(taking(taking(start, "Milk", "Oat"), "Syrup", "Maple", 3), "Cold foam", "Vanilla", 0);
  const line = toCartLine(item, drink, 2);
  expect(line).toMatchObject({ quantity: 2, sizeIndex: 0, sizeName: "Medium" });
  expect(selectionFromLine(item, line)).toEqual(drink);
});
