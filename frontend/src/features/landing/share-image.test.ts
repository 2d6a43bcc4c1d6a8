import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { shareImage } from "./LandingPicture";

it("is a picture of its own for each kind of landing page", () => {
  const images = ["cup", "beans", "storefront", "gift", "friends"].map(shareImage);
  expect(new Set(images).size).toBe(5);
  for (const image of images) expect(existsSync(`public/share/${image}.jpg`), image).toBe(true);
  expect(shareImage("unknown")).toBeUndefined();
});
