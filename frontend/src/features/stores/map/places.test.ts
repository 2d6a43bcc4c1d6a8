import { expect, it } from "vitest";
import type { Store } from "../queries";
import { sunset } from "../testing/stores";
import { groupByPlace } from "./places";

/** About one meter to the north, in degrees of latitude. */
const METER = 1 / 111_195;

const at = (storeId: string, metersNorth: number): Store => ({
  ...sunset,
  storeId,
  latitude: sunset.latitude + metersNorth * METER,
});

const group = (...stores: Store[]) =>
  groupByPlace(stores).map((place) => place.map(({ storeId }) => storeId));

it("groups stores at the same point and in one building", () => {
  expect(group(at("a", 0), at("b", 0), at("c", 6))).toEqual([["a", "b", "c"]]);
});

it("keeps stores apart that the highest zoom separates", () => {
  expect(group(at("a", 0), at("b", 15), at("c", 200))).toEqual([["a"], ["b"], ["c"]]);
});

it("measures from the pin, so that a row of stores is not one place", () => {
  expect(group(at("a", 0), at("b", 8), at("c", 16))).toEqual([["a", "b"], ["c"]]);
});

it("groups the same stores in any order", () => {
  const stores = [at("a", 0), at("b", 8), at("c", 16)];
  expect(group(...stores.reverse())).toEqual([["a", "b"], ["c"]]);
});

it("measures meters to the east in high latitudes, too", () => {
  const north = (storeId: string, metersEast: number): Store => ({
    ...sunset,
    storeId,
    latitude: 60,
    longitude: sunset.longitude + metersEast * METER * 2,
  });
  expect(group(north("a", 0), north("b", 5))).toEqual([["a", "b"]]);
  expect(group(north("a", 0), north("b", 9))).toEqual([["a"], ["b"]]);
});

it("has no places without stores", () => {
  expect(groupByPlace([])).toEqual([]);
});
