import { expect, it } from "vitest";
import { runInSeparateTasks } from "./run-in-separate-tasks";

it("runs the first function at once and each other one in a later task", async () => {
  const order: string[] = [];
  const done = runInSeparateTasks(
    () => order.push("first"),
    () => order.push("second"),
  );
  expect(order).toEqual(["first"]);
  await Promise.resolve();
  expect(order).toEqual(["first"]);
  await done;
  expect(order).toEqual(["first", "second"]);
});
