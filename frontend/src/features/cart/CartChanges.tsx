import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ChangeList } from "@/shell/ChangeList";
import { cartDataQuery } from "@/shell/queries";
import type { Cart } from "@/state/cart";
import { Notice } from "@/ui/Notice";

/** Lists what changed for the items of the cart since it was saved. */
export function CartChanges({ cart }: { cart: Cart }): ReactNode {
  const { data } = useQuery(cartDataQuery(cart.storeId));
  const lineIds = new Set(cart.items.map(({ lineId }) => lineId));
  // Items that cannot be ordered have their own message in the list of items.
  const changes = data?.changes.filter(({ lineId, after }) => lineIds.has(lineId) && after !== null) ?? [];
  if (changes.length === 0) return null;
  return (
    <div className="pt-3">
      <Notice>
        <p className="t-small-strong text-ink">Since you were last here</p>
        <ChangeList changes={changes} />
      </Notice>
    </div>
  );
}
