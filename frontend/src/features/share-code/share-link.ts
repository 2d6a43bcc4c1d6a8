import { share } from "@/shell/share";
import { toast } from "@/ui/toast";

/** Returns the address that a friend opens. It shows who invites, and works signed out. */
const getShareUrl = (shareCode: string): string =>
  `${location.origin}/lp/inactive-users?${new URLSearchParams({ shareCode })}`;

/** Opens the share sheet of the device, or copies the text where there is none. */
export function shareInvitation(shareCode: string): Promise<void> {
  return share(
    {
      title: "Order Ahead",
      text: "Order your coffee ahead with me and skip the line.",
      url: getShareUrl(shareCode),
    },
    { success: "Link copied", failure: "We couldn't copy the link. Please try again." },
  );
}

export async function copyCode(shareCode: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(shareCode);
    toast("Code copied", "success");
  } catch {
    toast("We couldn't copy the code. Please try again.", "error");
  }
}
