import type { ReactNode } from "react";
import { useModal } from "@/shell/modals";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";
import { toast } from "@/ui/toast";
import { formatRefund } from "./format";
import { useCancelOrder } from "./mutations";

/** Asks before an order is called off, and says what comes back. */
export default function CancelSheet({ order }: { order: Parameters<typeof formatRefund>[0] }): ReactNode {
  const here = useModal();
  const cancel = useCancelOrder();
  const submit = () =>
    cancel.mutate(order.orderId, {
      onSuccess: (now) => toast(formatRefund(now), "success"),
      onSettled: () => here?.close(),
    });
  return (
    <Sheet
      title="Cancel this order?"
      description="It's free until the store accepts. You won't be charged, and you can use your promo code again."
      action={
        <div className="grid gap-1">
          <Button big variant="danger" busy={cancel.isPending} onClick={submit}>
            Cancel order
          </Button>
          <Button variant="link" onClick={() => here?.close()}>
            Keep order
          </Button>
        </div>
      }
    />
  );
}
