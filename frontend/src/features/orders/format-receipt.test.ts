import { expect, it } from "vitest";
import { cents } from "@/lib/money";
import { formatReceiptPayment } from "./format-receipt";

it("names the part of an order that is not paid", () => {
  const parts = [
    { type: "joebucks" as const, name: "Gift card", amount: cents(400) },
    { type: "card" as const, name: null, amount: cents(840) },
  ];
  const format = (status: "Placed" | "Completed" | "Cancelled", payments: typeof parts) =>
    formatReceiptPayment({ status, isCharged: false, total: cents(1240), paymentType: "card", payments });
  expect(format("Placed", [])).toBe("$12.40 on hold (card).");
  expect(format("Completed", [])).toBe("$12.40 not paid.");
  expect(format("Completed", parts)).toBe("$8.40 not paid, paid $4.00 with gift card.");
  expect(format("Cancelled", [])).toBe("This order was canceled. Nothing was charged.");
  expect(format("Cancelled", parts)).toBe(
    "This order was canceled. $4.00 is back on the gift card. Nothing else was charged.",
  );
});
