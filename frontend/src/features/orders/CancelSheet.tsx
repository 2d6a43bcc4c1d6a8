import type { ReactNode } from "react";
import { useModal } from "@/shell/modals";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";
import { formatCancellation } from "./format";
import { useCancelOrder } from "./mutations";
import type { Order } from "./queries";

/** Asks for confirmation before it cancels an order. */
export default function CancelSheet({ order }: { order: Order }): ReactNode {
  const modal = useModal();
  const cancel = useCancelOrder();
  const submit = () =>
    cancel.mutate(order.orderId, {
      onSettled: () => modal?.close(),
    });
  return (
    <Sheet
      title="Cancel this order?"
      description={formatCancellation(order)}
      action={
        <div className="grid gap-1">
          <Button big variant="danger" busy={cancel.isPending} onClick={submit}>
            Cancel order
          </Button>
          <Button variant="link" onClick={() => modal?.close()}>
            Keep order
          </Button>
        </div>
      }
    />
  );
}
