import { Link } from "@tanstack/react-router";
import ShoppingBag from "lucide-react/icons/shopping-bag";
import type { ReactNode } from "react";
import { cartItem, countItems } from "@/state/cart";
import { useItem } from "@/state/device-item";

/** A link back to the cart, shown while the cart has items. */
export function CartStrip(): ReactNode {
  const { items, storeName } = useItem(cartItem);
  const count = countItems(items);
  if (count === 0) return null;
  return (
    <aside aria-label="Cart">
      <Link
        to="/cart"
        className="large-text:flex-wrap mx-auto flex min-h-13 w-full max-w-page items-center gap-x-3 bg-surface px-gutter py-1 shadow-[0_-1px_0_var(--line)]"
      >
        <ShoppingBag aria-hidden="true" size={20} strokeWidth={1.75} className="shrink-0 text-ink-2" />
        <span className="large-text:basis-3/4 large-text:whitespace-normal min-w-0 flex-1 truncate">
          <b className="t-small-strong num">{count === 1 ? "1 item" : `${count} items`}</b>
          <span className="t-small text-ink-2">, {storeName}</span>
        </span>{" "}
        <span className="t-small-strong text-accent">View cart</span>
      </Link>
    </aside>
  );
}
