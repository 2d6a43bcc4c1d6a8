import { type ReactNode, useState } from "react";
import { sendToShell } from "@/native/bridge";
import { isInNativeShell } from "@/native/shell";
import { useModal } from "@/shell/modals";
import { device } from "@/state/device";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";
import { toast } from "@/ui/toast";
import { subscribeBrowser } from "./browser-push";

/** Asks whether the consumer wants notifications, before the device does. `pushKey` is not used in the native app. */
export default function PushRequestSheet({ pushKey }: { pushKey: string }): ReactNode {
  const modal = useModal();
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
    sendToShell("push-notification-request", {});
    return;
  }
  // The browser does not ask again after an answer, whichever it was.
  device.pushRequestAccepted.set(await subscribeBrowser(pushKey));
}
