import { describe, expect, it } from "vitest";
import {
  anything,
  ifFits,
  listOf,
  Misfit,
  nullable,
  object,
  oneOf,
  recordOf,
  type Shape,
  text,
  truth,
  usually,
  whole,
} from "./shape";

describe("a shape", () => {
  it.each<[string, Shape<unknown>, unknown]>([
    ["a text", text, "latte"],
    ["true or false", truth, false],
    ["a whole number", whole(1, 20), 20],
    ["one of some words", oneOf("counter", "curbside"), "curbside"],
    ["nothing where that is allowed", nullable(text), null],
    ["a list", listOf(whole()), [1, 2]],
    ["a record", recordOf(text), { a: "b" }],
    ["an object within another", object({ promo: object({ code: text }) }), { promo: { code: "TEN" } }],
    ["what somebody else reads", anything, { base: "latte" }],
  ])("reads %s", (_, shape, raw) => {
    expect(shape(raw)).toEqual(raw);
  });

  it.each<[string, Shape<unknown>, unknown]>([
    ["a number for a text", text, 3],
    ["a word for a truth", truth, "true"],
    ["a fraction", whole(), 1.5],
    ["infinity", whole(), Number.POSITIVE_INFINITY],
    ["too few", whole(1, 20), 0],
    ["too many", whole(1, 20), 21],
    ["another word", oneOf("counter", "curbside"), "drone"],
    ["nothing where it is not allowed", text, null],
    ["an object for a list", listOf(text), {}],
    ["a list for a record", recordOf(text), ["a"]],
    ["one wrong entry", listOf(whole()), [1, "2"]],
    ["one wrong value", recordOf(text), { a: 1 }],
    ["a missing key", object({ code: text }), {}],
    ["a list for an object", object({}), []],
  ])("refuses %s", (_, shape, raw) => {
    expect(() => shape(raw)).toThrow(Misfit);
  });

  it("leaves out what an object should not have", () => {
    expect(object({ q: text })({ q: "sunset", evil: 1 })).toEqual({ q: "sunset" });
  });

  it("says the usual where nothing is said", () => {
    const promo = object({ code: text, type: usually(text, "fixed") });
    expect(promo({ code: "TEN" })).toEqual({ code: "TEN", type: "fixed" });
  });

  it("forgives an address, and keeps what does not fit out of it", () => {
    const search = object({ q: ifFits(text), open: ifFits(oneOf(true)) });
    expect(search({ q: "sunset", open: "yes" })).toStrictEqual({ q: "sunset", open: undefined });
    expect(search({})).toStrictEqual({});
  });
});
