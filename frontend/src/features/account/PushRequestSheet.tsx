import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { isInNativeShell } from "@/native/shell";
import { useModal } from "@/shell/modals";
import { device } from "@/state/device";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";
import { toast } from "@/ui/toast";
import { subscribeBrowser } from "./browser-push";
import { followOrderEnd } from "./order-end";

interface PushRequestSheetProps {
  orderId: string;
  /** Not used in the native app. */
  pushKey: string;
}

/** Offers notifications before the device requests the permission. Closes when the order ends, so that the reason is visible. */
export default function PushRequestSheet({ orderId, pushKey }: PushRequestSheetProps): ReactNode {
  const modal = useModal();
  const queryClient = useQueryClient();
  useEffect(() => followOrderEnd(queryClient, orderId, () => modal?.close()), [queryClient, orderId, modal]);
  const [isBusy, setBusy] = useState(false);
  const accept = async () => {
    setBusy(true);
    try {
      await turnOn(pushKey);
    } catch {
      toast("We couldn't turn on notifications. You can try again in your settings.");
    }
    modal?.close();
  };
  return (
    <Sheet
      title="Know when it's ready"
      description="Get a notification the moment your drink is ready."
      action={
        <div className="grid gap-1">
          <Button big disabled={isBusy} onClick={accept}>
            Turn on notifications
          </Button>
          <Button variant="link" onClick={() => modal?.close()}>
            Not now
          </Button>
        </div>
      }
    />
  );
}

async function turnOn(pushKey: string): Promise<void> {
  if (isInNativeShell()) {
    device.pushRequestAccepted.set(true);
    const { sendToShell } = await import("@/native/bridge");
    sendToShell("push-notification-request", {});
    return;
  }
  // The browser does not ask again after an answer, whichever it was.
  device.pushRequestAccepted.set(await subscribeBrowser(pushKey));
}
