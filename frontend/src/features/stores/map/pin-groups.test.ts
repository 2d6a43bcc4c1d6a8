import { expect, it } from "vitest";
import type { Store } from "../queries";
import { sunset } from "../testing/stores";
import { groupPins, isPlace, type Spot } from "./pin-groups";

/** Degrees of longitude of one pixel at zoom 12. */
const PIXEL = 360 / (512 * 2 ** 12);

const at = (storeId: string, pixelsEast: number): Spot => [
  { ...sunset, storeId, longitude: sunset.longitude + pixelsEast * PIXEL } satisfies Store,
];

const group = (spots: Spot[], { zoom = 12, textScale = 1, current = undefined as string | undefined } = {}) =>
  groupPins(spots, { zoom, textScale, current }).map((spots) =>
    spots.map((spot) => (isPlace(spot) ? spot[0].storeId : spot.count)),
  );

it("groups pins that cover each other until the map is zoomed in", () => {
  const spots = [at("a", 0), at("b", 60), at("c", 100)];
  expect(group(spots)).toEqual([["a", "b"], ["c"]]);
  expect(group(spots, { zoom: 11 })).toEqual([["a", "b", "c"]]);
  expect(group(spots, { zoom: 13 })).toEqual([["a"], ["b"], ["c"]]);
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
