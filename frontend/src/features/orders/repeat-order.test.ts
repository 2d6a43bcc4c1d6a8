import { expect, it } from "vitest";
import { formatLine } from "@/lib/format-line";
import { cartItem } from "@/state/cart";
import { makeOrder } from "@/testing/order";
import { addRepeatedLines } from "./repeat-order";

it("keeps all choices of a repeated line, and names only those that differ from the defaults", () => {
  const order = makeOrder("Completed");
  const [line] = order.lines;
  if (!line) throw new Error("the order has no line");
  const choice = { modificationId: "", modificationName: "", choiceName: "", artKey: "", isDefault: false };
  const shots = { ...choice, choiceId: "shot", choiceName: "Shot", quantity: 2, isDefault: true };
  const milk = { ...choice, choiceId: "oat", choiceName: "Oat milk", quantity: 1 };
  const ordered = { ...line, sizeName: "Small", note: "", choices: [shots, milk] as typeof line.choices };
  const repeated = {
    cartId: "",
    storeId: order.storeId,
    items: [{ ...line, choices: [shots, milk] }],
    pickup: "counter" as const,
    schedule: null,
    promo: { code: "", type: "fixed" as const, value: 0 },
    tipAmount: 0,
  };
  addRepeatedLines({ ...order, lines: [ordered] }, repeated);
  const [added] = cartItem.get().items;
  expect(added?.choices.map(({ choiceId, quantity }) => [choiceId, quantity])).toEqual([
    ["shot", 2],
    ["oat", 1],
  ]);
  expect(formatLine(added?.sizeName ?? "", added?.choices ?? [])).toBe("Small, oat milk");
});
