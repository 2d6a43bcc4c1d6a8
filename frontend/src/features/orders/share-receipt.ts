import { share } from "@/shell/share";
import type { Receipt } from "./queries";

/** Returns the address of the public receipt, which works signed out. */
export function getReceiptUrl({ orderId, signature }: Pick<Receipt, "orderId" | "signature">): string {
  const query = new URLSearchParams({ orderId, signature: signature ?? "", isReceiptPublicPage: "true" });
  return `${location.origin}/order/complete?${query}`;
}

/** Opens the share sheet of the device, or copies the address where there is none. */
export async function shareReceipt(
  receipt: Pick<Receipt, "orderId" | "signature" | "storeName">,
): Promise<void> {
  await share(
    { title: `Receipt from ${receipt.storeName}`, url: getReceiptUrl(receipt) },
    { success: "Link copied", failure: "We couldn't copy the link. Please try again." },
  );
}
