import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { GetData } from "@/api/contract";
import { confirmCartStore } from "@/shell/replace-cart";
import { Button } from "@/ui/Button";
import { toast } from "@/ui/toast";
import { formatItems } from "./format";
import { useRepeatOrder } from "./mutations";
import type { Order } from "./queries";
import { addRepeatedLines } from "./repeat-order";

interface OrderAgainProps {
  order: Order;
  /** The main button of the order screen. */
  big?: boolean;
  /** The label of a small button. */
  label?: string;
}

/** Adds the available items of the order to the cart, and shows what is unavailable. */
export function OrderAgain({ order, big = false, label = "Reorder" }: OrderAgainProps): ReactNode {
  const navigate = useNavigate();
  const repeatOrder = useRepeatOrder();
  const addToCart = ({ cart, problems, priceChanged }: GetData<"/order/repeat">) => {
    const lineCount = addRepeatedLines(order, cart);
    const [problem] = problems;
    if (lineCount === 0) {
      toast(problem?.message ?? "None of these items are available right now.", "error");
      return;
    }
    if (problem) toast(problem.message, "error");
    else if (priceChanged) toast("Some prices changed since your last order");
    void navigate({ to: "/cart" });
  };
  const submit = () =>
    repeatOrder.mutate(order.orderId, {
      onSuccess: (repeated) => confirmCartStore(order.storeId, () => addToCart(repeated)),
    });
  return (
    <Button variant={big ? "solid" : "soft"} big={big} busy={repeatOrder.isPending} onClick={submit}>
      {big ? "Order again" : label}
      {!big && <span className="sr-only">{`: ${formatItems(order)}, ${order.storeName}`}</span>}
    </Button>
  );
}
