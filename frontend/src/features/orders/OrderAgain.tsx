import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { confirmCartStore } from "@/shell/replace-cart";
import { Button } from "@/ui/Button";
import { toast } from "@/ui/toast";
import { itemsOf } from "./format";
import type { Order } from "./queries";
import { addRepeatedLines, repeatOrder } from "./repeat-order";

interface OrderAgainProps {
  order: Order;
  /** The main button of the order's own screen. */
  big?: boolean;
  /** What it says elsewhere: "Again" unless told, "Order again · $5.75" on the shelf. */
  label?: string;
}

/** Orders the same again: what can still be had goes into the cart, and what cannot is said. */
export function OrderAgain({ order, big = false, label = "Reorder" }: OrderAgainProps): ReactNode {
  const navigate = useNavigate();
  const repeat = useMutation({
    mutationFn: () => repeatOrder(order.orderId),
    onSuccess: ({ cart, problems, priceChanged }) => {
      const put = () => {
        const lines = addRepeatedLines(order, { cart });
        const [problem] = problems;
        if (lines === 0)
          return toast(problem?.message ?? "None of these items are available right now.", "error");
        if (problem) toast(problem.message, "error");
        else if (priceChanged) toast("Some prices changed since your last order");
        void navigate({ to: "/cart" });
      };
      confirmCartStore(order.storeId, put);
    },
  });
  return (
    <Button
      variant={big ? "solid" : "soft"}
      big={big}
      busy={repeat.isPending}
      onClick={() => repeat.mutate()}
    >
      {big ? "Order again" : label}
      {!big && <span className="sr-only">{`: ${itemsOf(order)}, ${order.storeName}`}</span>}
    </Button>
  );
}
