import { expect, it } from "vitest";
import { checkPhoto } from "./photo";

it.each([
  ["image/jpeg", 8 * 1_048_576, undefined],
  ["image/webp", 10, undefined],
  ["image/heic", 10, "Choose a JPEG, PNG or WebP photo."],
  ["application/pdf", 10, "Choose a JPEG, PNG or WebP photo."],
  ["image/png", 8 * 1_048_576 + 1, "Choose a photo smaller than 8 MB."],
])("checks %s of %i bytes", (type, size, problem) => {
  expect(checkPhoto({ type, size })).toBe(problem);
});
