import { share } from "@/shell/share";
import type { GiftCardPurchase } from "@/state/purchases";

/**
 * Opens the share sheet of the device with a note to the recipient, or copies it where there is none. The note has no code:
 * the code is only in the message that we send.
 */
export async function shareGift({ recipient, deliverOn }: GiftCardPurchase, amount: string): Promise<void> {
  const where = recipient.kind === "phone" ? "texts" : "inbox";
  const when = deliverOn === "" ? "" : " soon";
  const text = `I sent you a ${amount} coffee gift card. Check your ${where}${when}.`;
  await share(
    { text, url: `${location.origin}/wallet/redeem` },
    { success: "Copied", failure: "We couldn't copy the text. Please try again." },
  );
}
