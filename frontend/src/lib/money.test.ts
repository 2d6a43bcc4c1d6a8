import { describe, expect, it } from "vitest";
import { calculatePercentage, cents, formatMoney, parseCents, sum } from "./money";

describe("formatMoney", () => {
  it.each([
    [0, "$0.00"],
    [5, "$0.05"],
    [575, "$5.75"],
    [123_456_789, "$1,234,567.89"],
    [-575, "-$5.75"],
    // Not representable as a float of dollars.
    [9_007_199_254_740_991, "$90,071,992,547,409.91"],
  ])("writes %i cents as %s", (amount, text) => expect(formatMoney(cents(amount))).toBe(text));

  it("omits the decimals of whole amounts if requested", () => {
    expect(formatMoney(cents(300), { bare: true })).toBe("$3");
    expect(formatMoney(cents(350), { bare: true })).toBe("$3.50");
  });

  it("uses the fraction of the amount", () => {
    expect(formatMoney({ currencyAmount: 1200, currencyFraction: 1, currency: "jpy" })).toBe("¥1,200");
    expect(formatMoney({ currencyAmount: 12_345, currencyFraction: 1000, currency: "usd" })).toBe("$12.35");
  });
});

it("adds amounts of one currency only", () => {
  expect(sum([])).toEqual(cents(0));
  expect(sum([cents(10), cents(20)])).toEqual(cents(30));
  expect(() => sum([cents(1), { ...cents(1), currency: "eur" }])).toThrow(RangeError);
});

it("rounds a percentage half a cent up", () => {
  expect(calculatePercentage(575, 15)).toBe(86);
  expect(calculatePercentage(570, 15)).toBe(86);
  expect(calculatePercentage(569, 15)).toBe(85);
});

it.each([
  ["12", 1200],
  ["12.5", 1250],
  ["$1,200.50", 120_050],
  [".99", 99],
  ["", null],
  [".", null],
  ["-3", null],
  ["12.345", null],
  ["twelve", null],
])("reads %j as %j", (text, amount) => expect(parseCents(text)).toBe(amount));

it("formats dollars as Intl does", () => {
  const options = { style: "currency", currency: "USD" } as const;
  const intl = new Intl.NumberFormat("en-US", options);
  const bare = new Intl.NumberFormat("en-US", { ...options, minimumFractionDigits: 0 });
  for (const amount of [0, 1, 9, 10, 99, 100, 525, 99_999, 100_000, 123_456, 99_999_999, 100_000_000]) {
    for (const signed of amount === 0 ? [0] : [amount, -amount]) {
      expect(formatMoney(cents(signed))).toBe(intl.format(signed / 100));
      const expected = signed % 100 === 0 ? bare.format(signed / 100) : intl.format(signed / 100);
      expect(formatMoney(cents(signed), { bare: true })).toBe(expected);
    }
  }
});
