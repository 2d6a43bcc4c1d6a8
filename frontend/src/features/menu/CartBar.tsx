import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { cents, formatMoney } from "@/lib/money";
import { BottomBar } from "@/shell/Page";
import { cartItem, countOf } from "@/state/cart";
import { useItem } from "@/state/device-item";
import { look } from "@/ui/press";

/** The way to the cart, with what is in it; nothing while it is empty or for another store. */
export function CartBar({ storeId }: { storeId: string }): ReactNode {
  const cart = useItem(cartItem);
  const count = countOf(cart.items);
  if (count === 0 || cart.storeId !== storeId) return null;
  const sum = cart.items.reduce((total, { unitPrice, quantity }) => total + unitPrice * quantity, 0);
  return (
    <BottomBar>
      <Link
        to={"/cart" as string}
        className={look("solid", { big: true })}
        aria-label={`View cart, ${count} ${count === 1 ? "item" : "items"}, ${formatMoney(cents(sum))}`}
      >
        <span className="t-small-strong num mr-1 min-w-6.5 rounded-full bg-on-accent/20 text-center leading-6.5">
          {count}
        </span>
        <span className="num">View cart · {formatMoney(cents(sum))}</span>
      </Link>
    </BottomBar>
  );
}
