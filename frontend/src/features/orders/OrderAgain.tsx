import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { GetData } from "@/api/contract";
import { formatMoney } from "@/lib/money";
import { confirmChanges } from "@/shell/confirm-changes";
import { confirmCartStore } from "@/shell/replace-cart";
import { cartItem } from "@/state/cart";
import { Button } from "@/ui/Button";
import { toast } from "@/ui/toast";
import { calculateRepeatTotal, formatItems } from "./format";
import { useRepeatOrder } from "./mutations";
import type { Order } from "./queries";
import { addRepeatedLines } from "./repeat-order";

interface OrderAgainProps {
  order: Order;
  /** The main button of the order screen. */
  big?: boolean;
  /** Shows the price with tax, as at checkout. */
  withPrice?: boolean;
}

/**
 * Adds the available items of the order to the cart and opens checkout, or the cart if it had other items. Shows first what is
 * unavailable or has another price.
 */
export function OrderAgain({ order, big = false, withPrice = big }: OrderAgainProps): ReactNode {
  const navigate = useNavigate();
  const repeatOrder = useRepeatOrder();
  const addToCart = ({ cart, problems }: GetData<"/order/repeat">) => {
    const isOnlyOrder = cartItem.get().items.length === 0;
    if (addRepeatedLines(order, cart) === 0) {
      toast(problems[0]?.message ?? "None of these items are available right now.", "error");
      return;
    }
    void navigate({ to: isOnlyOrder ? "/checkout" : "/cart" });
  };
  const confirm = (repeated: GetData<"/order/repeat">) =>
    confirmChanges({
      changes: repeated.changes,
      description: "Since your last order:",
      confirmLabel: repeated.cart.items.length > 0 ? "Add to cart" : undefined,
      onConfirm: () => confirmCartStore(order.storeId, () => addToCart(repeated)),
    });
  const submit = () =>
    repeatOrder.mutate(order.orderId, {
      onSuccess: confirm,
    });
  return (
    <Button variant={big ? "solid" : "soft"} big={big} busy={repeatOrder.isPending} onClick={submit}>
      <span className="num">
        {withPrice ? `Order again · ${formatMoney(calculateRepeatTotal(order))}` : "Reorder"}
      </span>
      {!big && <span className="sr-only">{`: ${formatItems(order)}, ${order.storeName}`}</span>}
    </Button>
  );
}
