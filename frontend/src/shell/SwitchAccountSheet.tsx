import type { ReactNode } from "react";
import { device } from "@/state/device";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";
import { useModal } from "./modals";

/** Asks before a link signs in another consumer. */
export default function SwitchAccountSheet({ onConfirm }: { onConfirm: () => void }): ReactNode {
  const modal = useModal();
  const name = device.user.get()?.firstName;
  const confirm = () => {
    modal?.close();
    onConfirm();
  };
  return (
    <Sheet
      title="Switch accounts?"
      description={`You're signed in${name ? ` as ${name}` : ""}. This link is for another account.`}
      action={
        <div className="grid gap-1">
          <Button big onClick={confirm}>
            Switch accounts
          </Button>
          <Button variant="link" onClick={() => modal?.close()}>
            {name ? `Stay signed in as ${name}` : "Stay signed in"}
          </Button>
        </div>
      }
    />
  );
}
