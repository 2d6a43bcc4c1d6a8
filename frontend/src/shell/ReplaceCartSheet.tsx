import type { ReactNode } from "react";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";
import { useModal } from "./modals";

interface ReplaceCartSheetProps {
  /** The store of the current cart. */
  storeName: string;
  /** Items that would be cleared, including quantities. */
  count: number;
  onConfirm: () => void;
}

/** Asks before a cart for one store is replaced by a cart for another. */
export default function ReplaceCartSheet({ storeName, count, onConfirm }: ReplaceCartSheetProps): ReactNode {
  const modal = useModal();
  const confirm = () => {
    modal?.close();
    onConfirm();
  };
  return (
    <Sheet
      title="Start a new cart?"
      description={`Your cart has ${count === 1 ? "1 item" : `${count} items`} from ${storeName}. Starting a new cart clears this one.`}
      action={
        <div className="grid gap-1">
          <Button big onClick={confirm}>
            Start a new cart
          </Button>
          <Button variant="link" onClick={() => modal?.close()}>
            Keep my cart
          </Button>
        </div>
      }
    />
  );
}
