import { integer, nullable, number, object, optional, pipe, string } from "valibot";
import { deviceItem } from "./device-item";

/** The current attempt to place an order. Stored on the device, so that a reload does not place a second order. */
export const attemptItem = deviceItem({
  key: "attempt",
  version: 1,
  schema: nullable(
    object({
      /** The fingerprint of the draft. */
      name: string(),
      key: string(),
      expectedTotal: pipe(number(), integer()),
      expectedReadyAt: string(),
      /** The method that Apple Pay or Google Pay created for this attempt. */
      walletPaymentMethodId: optional(string()),
    }),
  ),
  initial: null,
});
