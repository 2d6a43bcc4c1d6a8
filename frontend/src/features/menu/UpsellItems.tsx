import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Cart } from "@/state/cart";
import { MenuCarousel } from "./MenuCarousel";
import { upsellQuery } from "./queries";

/** Items that go with those of the cart. Hidden if there are none or they fail to load. */
export function UpsellItems({ cart }: { cart: Cart }): ReactNode {
  const itemIds = [...new Set(cart.items.map(({ itemId }) => itemId))].sort();
  const { data } = useQuery({
    ...upsellQuery(cart.storeId, itemIds),
    placeholderData: keepPreviousData,
  });
  // The previous suggestions may contain an item that was just added.
  const items = data?.items.filter(({ itemId }) => !itemIds.includes(itemId)) ?? [];
  return (
    <div className="-mx-gutter">
      <MenuCarousel id="upsell" title="Goes well with your order" store={cart} items={items} />
    </div>
  );
}
