import type { ReactNode } from "react";
import { useModal } from "@/shell/modals";
import { device } from "@/state/device";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";
import { sendToShell } from "./bridge";

/** Asks whether the consumer wants notifications, before the device does. */
export default function PushRequestSheet(): ReactNode {
  const modal = useModal();
  const accept = () => {
    device.pushRequestAccepted.set(true);
    sendToShell("push-notification-request", {});
    modal?.close();
  };
  return (
    <Sheet
      title="Know when it's ready"
      description="Get a notification the moment your drink is ready."
      action={
        <div className="grid gap-1">
          <Button big onClick={accept}>
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
