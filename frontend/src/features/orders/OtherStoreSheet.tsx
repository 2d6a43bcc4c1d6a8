import type { ReactNode } from "react";
import { useModal } from "@/shell/modals";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";

/** A cart is for one store: the person decides whether to give up what is in it. */
export default function OtherStoreSheet({
  storeName,
  onReplace,
}: {
  /** Whose things are in the cart now. */
  storeName: string;
  onReplace: () => void;
}): ReactNode {
  const here = useModal();
  const replace = () => {
    here?.close();
    onReplace();
  };
  return (
    <Sheet
      title="Start a new cart?"
      description={`Your cart is for ${storeName}. One order is made in one place.`}
      action={
        <div className="grid gap-1">
          <Button big onClick={replace}>
            Start a new cart
          </Button>
          <Button look="link" onClick={() => here?.close()}>
            Keep what is there
          </Button>
        </div>
      }
    >
      {null}
    </Sheet>
  );
}
