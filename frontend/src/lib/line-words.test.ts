import { expect, it } from "vitest";
import { askedChoices, lineWords } from "./line-words";

const choice = (modificationName: string, choiceName: string, artKey: string, more = {}) => ({
  modificationName,
  choiceName,
  artKey,
  quantity: 1,
  isDefault: false,
  ...more,
});

it("says size, changes and note", () => {
  const choices = [
    { name: "Oat milk", quantity: 1 },
    { name: "Vanilla", quantity: 2 },
  ];
  expect(lineWords("Medium", choices)).toBe("Medium, oat milk, 2 vanilla");
  expect(lineWords("", [{ name: "No butter", quantity: 0 }], "cut in two")).toBe("No butter. “cut in two”");
  expect(lineWords("", [], "warm")).toBe("“warm”");
  expect(lineWords("", [])).toBe("");
});

it("names ordered choices so that they stand alone, and leaves out what nobody asked for", () => {
  const asked = askedChoices([
    choice("Milk", "Oat", "milk:oat"),
    choice("Milk", "2%", "milk:2percent"),
    choice("Ice", "None", "ice:none"),
    choice("Syrup", "Vanilla", "syrup:vanilla", { quantity: 3 }),
    choice("Shots", "Espresso shot", "shots", { isDefault: true }),
    choice("Whipped cream", "Whipped cream", "whip", { quantity: 0 }),
  ]);
  expect(asked.map(({ name }) => name)).toEqual([
    "Oat milk",
    "2% milk",
    "No ice",
    "Vanilla",
    "No whipped cream",
  ]);
});
