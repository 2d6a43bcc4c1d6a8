import { expect, it } from "vitest";
import { addedMethod } from "@/state/added-method";
import { device } from "@/state/device";
import { selectAddedMethod } from "./added-method";

it("selects a method for the order only if it was added at checkout", () => {
  selectAddedMethod({ paymentMethodId: "pay_wallet", type: "card" }, "/company/juniper/buy-card");
  expect([addedMethod.get(), device.checkout.get()]).toEqual(["pay_wallet", null]);
  selectAddedMethod({ paymentMethodId: "pay_checkout", type: "card" }, "/checkout");
  expect([addedMethod.get(), device.checkout.get()]).toEqual([
    "pay_wallet",
    { paymentId: "pay_checkout", paymentType: "card" },
  ]);
});
