import { expect, it } from "vitest";
import { statesPayment } from "./charge-text";

it.each([
  ["This payment was canceled. You weren't charged.", true],
  ["We couldn't place your order. You weren't charged; please try again.", true],
  ["We couldn't complete your purchase. If you were charged, we'll refund it; please try again.", true],
  ["Your card wasn't charged.", true],
  ["If your bank account was debited, we'll refund it.", true],
  ["Your card was declined.", false],
  ["", false],
])("%s: %s", (text, expected) => {
  expect(statesPayment(text)).toBe(expected);
});
