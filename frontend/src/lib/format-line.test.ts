import { expect, it } from "vitest";
import { customChoices, formatLine } from "./format-line";

const choice = (modificationName: string, choiceName: string, artKey: string, more = {}) => ({
  modificationName,
  choiceName,
  artKey,
  quantity: 1,
  isDefault: false,
  ...more,
});

it("formats size, changes and note", () => {
  const choices = [
    { name: "Oat milk", quantity: 1 },
    { name: "Vanilla", quantity: 2 },
  ];
  expect(formatLine("Medium", choices)).toBe("Medium, oat milk, 2 vanilla");
  expect(
    formatLine("Small", [
      { name: "Shot", quantity: 3 },
      { name: "", quantity: 2 },
    ]),
  ).toBe("Small, 3 shots");
  expect(formatLine("", [{ name: "No butter", quantity: 0 }], "cut in two")).toBe("No butter. “cut in two”");
  expect(formatLine("", [], "warm")).toBe("“warm”");
  expect(formatLine("", [])).toBe("");
});

it("completes the names of choices and omits defaults", () => {
  const asked = customChoices([
    choice("Milk", "Oat", "milk:oat"),
    choice("Milk", "2%", "milk:2percent"),
    choice("Ice", "None", "ice:none"),
    choice("Syrup", "Vanilla", "syrup:vanilla", { quantity: 3 }),
    choice("Shots", "Espresso shot", "shots", { isDefault: true }),
    choice("Whipped cream", "Whipped cream", "whip", { quantity: 0 }),
    choice("Foam", "Regular", "foam:regular", { quantity: 0 }),
    choice("Syrup", "Caramel", "syrup:caramel", { quantity: 0 }),
  ]);
  expect(asked.map(({ name }) => name)).toEqual([
    "Oat milk",
    "2% milk",
    "No ice",
    "Vanilla",
    "No whipped cream",
    "No foam",
    "No caramel",
  ]);
});
