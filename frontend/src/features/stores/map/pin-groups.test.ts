import { expect, it } from "vitest";
import type { Store } from "../queries";
import { sunset } from "../testing/stores";
import { groupPins, isPlace, type PinContent } from "./pin-groups";

/** Degrees of longitude of one pixel at zoom 12. */
const PIXEL = 360 / (512 * 2 ** 12);

const at = (storeId: string, pixelsEast: number): PinContent => [
  { ...sunset, storeId, longitude: sunset.longitude + pixelsEast * PIXEL } satisfies Store,
];

const group = (
  contents: PinContent[],
  { zoom = 12, textScale = 1, current = undefined as string | undefined } = {},
) =>
  groupPins(contents, { zoom, textScale, current }).map((contents) =>
    contents.map((content) => (isPlace(content) ? content[0].storeId : content.count)),
  );

it("groups pins that cover each other until the map is zoomed in", () => {
  const contents = [at("a", 0), at("b", 60), at("c", 100)];
  expect(group(contents)).toEqual([["a", "b"], ["c"]]);
  expect(group(contents, { zoom: 11 })).toEqual([["a", "b", "c"]]);
  expect(group(contents, { zoom: 13 })).toEqual([["a"], ["b"], ["c"]]);
});

it("needs more space for large text", () => {
  expect(group([at("a", 0), at("b", 100)])).toEqual([["a"], ["b"]]);
  expect(group([at("a", 0), at("b", 100)], { textScale: 2 })).toEqual([["a", "b"]]);
});

it("keeps the pin of the selected store, which is larger", () => {
  expect(group([at("a", 0), at("b", 90)], { current: "b" })).toEqual([["b", "a"]]);
});

it("groups stores with a cluster", () => {
  const cluster = { latitude: sunset.latitude, longitude: sunset.longitude, count: 3 };
  expect(group([cluster, at("a", 20), at("b", 200)])).toEqual([[3, "a"], ["b"]]);
});
