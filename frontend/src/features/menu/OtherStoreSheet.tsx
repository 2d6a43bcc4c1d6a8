import type { ReactNode } from "react";
import { useModal } from "@/shell/modals";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";

interface OtherStoreSheetProps {
  from: string;
  to: string;
  /** Lines that would be given up. */
  count: number;
  onConfirm: () => void;
}

/** Asks before a cart for one store makes room for another's. */
export default function OtherStoreSheet({ from, to, count, onConfirm }: OtherStoreSheetProps): ReactNode {
  const here = useModal();
  return (
    <Sheet
      title={`Start a cart at ${to}?`}
      action={
        <div className="grid gap-2">
          <Button
            big
            onClick={() => {
              here?.close();
              onConfirm();
            }}
          >
            Start a new cart
          </Button>
          <Button big look="link" onClick={() => here?.close()}>
            Keep the cart at {from}
          </Button>
        </div>
      }
    >
      <p className="text-ink-2">
        An order is made at one store. Your cart has {count === 1 ? "one item" : `${count} items`} from {from}
        ; starting a new one lets {count === 1 ? "it" : "them"} go.
      </p>
    </Sheet>
  );
}
