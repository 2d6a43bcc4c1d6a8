import { expect, it } from "vitest";
import { formatStoreCount } from "./format";

it("counts the stores, and states whether there are more", () => {
  expect(formatStoreCount(1, true, false)).toBe("1 store near you");
  expect(formatStoreCount(14, false, false)).toBe("14 stores");
  expect(formatStoreCount(40, true, true)).toBe("Nearest 40 stores");
  expect(formatStoreCount(40, false, true)).toBe("Showing 40 stores");
});
