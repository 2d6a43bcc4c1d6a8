import { expect, it } from "vitest";
import { runApart } from "./run-apart";

it("runs the first function at once and each other one in a later task", async () => {
  const order: string[] = [];
  const done = runApart(
    () => order.push("first"),
    () => order.push("second"),
  );
  expect(order).toEqual(["first"]);
  await Promise.resolve();
  expect(order).toEqual(["first"]);
  await done;
  expect(order).toEqual(["first", "second"]);
});
