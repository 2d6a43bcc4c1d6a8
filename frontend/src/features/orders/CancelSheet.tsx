import type { ReactNode } from "react";
import { useModal } from "@/shell/modals";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";
import { toast } from "@/ui/toast";
import { useCancelOrder } from "./mutations";
import { givenBack } from "./words";

/** Asks before an order is called off, and says what comes back. */
export default function CancelSheet({ order }: { order: Parameters<typeof givenBack>[0] }): ReactNode {
  const here = useModal();
  const cancel = useCancelOrder();
  const submit = () =>
    cancel.mutate(order.orderId, {
      onSuccess: (now) => toast(givenBack(now), "success"),
      onSettled: () => here?.close(),
    });
  return (
    <Sheet
      title="Cancel this order?"
      description="It is free until the bar starts, and everything comes back: money, code and points."
      action={
        <div className="grid gap-1">
          <Button big look="danger" busy={cancel.isPending} onClick={submit}>
            Cancel order
          </Button>
          <Button look="link" onClick={() => here?.close()}>
            Keep it
          </Button>
        </div>
      }
    >
      {null}
    </Sheet>
  );
}
