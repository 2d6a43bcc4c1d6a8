import type { ReactNode } from "react";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";
import { ChangeList, type LineChange } from "./ChangeList";
import { useModal } from "./modals";

export interface ChangesSheetProps {
  changes: readonly LineChange[];
  description: string;
  /** Absent if nothing can be ordered. */
  confirmLabel: string | undefined;
  onConfirm: () => void;
}

/** Lists what is gone or has another price before anything is added to the cart. */
export default function ChangesSheet(props: ChangesSheetProps): ReactNode {
  const { changes, description, confirmLabel, onConfirm } = props;
  const modal = useModal();
  const confirm = () => {
    modal?.close();
    onConfirm();
  };
  return (
    <Sheet
      title={confirmLabel ? "Some items changed" : "Nothing left to order"}
      description={description}
      action={
        confirmLabel && (
          <div className="grid gap-1">
            <Button big onClick={confirm}>
              {confirmLabel}
            </Button>
            <Button variant="link" onClick={() => modal?.close()}>
              Not now
            </Button>
          </div>
        )
      }
    >
      <ChangeList changes={changes} />
    </Sheet>
  );
}
