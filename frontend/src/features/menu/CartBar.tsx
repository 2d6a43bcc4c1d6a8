import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { cents, formatMoney } from "@/lib/money";
import { BottomBar } from "@/shell/Page";
import { cartItem, countItems, sumPrices } from "@/state/cart";
import { useItem } from "@/state/device-item";
import { buttonVariants } from "@/ui/button-variants";

/** A link to the cart, if the cart has items of this store. */
export function CartBar({ storeId }: { storeId: string }): ReactNode {
  const cart = useItem(cartItem);
  const count = countItems(cart.items);
  if (count === 0 || cart.storeId !== storeId) return null;
  const total = formatMoney(cents(sumPrices(cart.items)));
  return (
    <BottomBar>
      <Link to="/cart" className={buttonVariants("solid", { big: true })}>
        <span
          aria-hidden="true"
          className="t-small-strong num mr-1 min-w-[1.625rem] rounded-full bg-on-accent/20 text-center leading-[1.625rem]"
        >
          {count}
        </span>
        <span aria-hidden="true" className="num">
          View cart · {total}
        </span>
        <span className="sr-only">{`View cart, ${count} ${count === 1 ? "item" : "items"}, ${total}`}</span>
      </Link>
    </BottomBar>
  );
}
