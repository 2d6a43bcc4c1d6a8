import type { ReactNode } from "react";
import { useModal } from "@/shell/modals";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";

/** Asks a last time before the account is deleted. */
export default function DeleteSheet({ onConfirm }: { onConfirm: () => void }): ReactNode {
  const modal = useModal();
  const confirm = () => {
    modal?.close();
    onConfirm();
  };
  return (
    <Sheet
      title="Delete your account?"
      description="We delete it right away, and it can't be restored."
      action={
        <div className="grid gap-1">
          <Button big onClick={() => modal?.close()}>
            Keep my account
          </Button>
          <Button big variant="danger" onClick={confirm}>
            Yes, delete it
          </Button>
        </div>
      }
    />
  );
}
