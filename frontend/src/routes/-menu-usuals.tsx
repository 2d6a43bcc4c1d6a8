import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { addToCart } from "@/features/menu/add-to-cart";
import { UsualItems } from "@/features/menu/UsualItems";
import { toUsualLine, usualItemsQuery } from "@/features/menu/usual-items";
import type { CartStore } from "@/state/cart";
import { toast } from "@/ui/toast";

/** The usual items of a signed-in consumer on a menu. */
export function MenuUsuals({ store }: { store: CartStore }): ReactNode {
  const { data } = useQuery(usualItemsQuery(store.storeId));
  if (!data || data.items.length === 0) return null;
  return (
    <UsualItems
      items={data.items}
      onAdd={(item) => {
        const line = toUsualLine(item);
        if (line) addToCart(store, line, () => toast(`${item.name} added to your cart`, "success"));
      }}
    />
  );
}
