import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, type NavigateOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { object, string } from "valibot";
import { addToCart } from "@/features/menu/add-to-cart";
import { Customizer } from "@/features/menu/Customizer";
import { ItemSkeleton } from "@/features/menu/ItemSkeleton";
import { itemQuery } from "@/features/menu/queries";
import { toCartStore } from "@/features/stores/cart-store";
import { storeQuery } from "@/features/stores/queries";
import { searchParam } from "@/lib/search";
import { BackButton } from "@/shell/Header";
import { useGoBack } from "@/shell/use-go-back";
import { type CartLine, cartItem, replaceLine } from "@/state/cart";
import { toast } from "@/ui/toast";

export const Route = createFileRoute("/store/$storeId/item/$itemId")({
  /** `line`: the cart line to edit. */
  validateSearch: object({ line: searchParam(string()) }),
  head: () => ({ meta: [{ title: "Make it yours · Order Ahead" }] }),
  loader: ({ context: { queryClient }, params: { storeId, itemId } }) => {
    void queryClient.prefetchQuery(itemQuery(storeId, itemId));
    void queryClient.prefetchQuery(storeQuery(storeId));
  },
  component: ItemScreen,
  pendingComponent: ItemSkeleton,
});

function ItemScreen(): ReactNode {
  const { storeId, itemId } = Route.useParams();
  const { line: lineId } = Route.useSearch();
  const { data: item } = useSuspenseQuery(itemQuery(storeId, itemId));
  const { data: store } = useSuspenseQuery(storeQuery(storeId));
  const goBack = useGoBack();
  const line = cartItem.get().items.find((item) => item.lineId === lineId && item.itemId === itemId);
  const cartStore = toCartStore(store);
  const up: NavigateOptions = line ? { to: "/cart" } : { to: "/store/$storeId/menu", params: { storeId } };
  const submit = (changed: Omit<CartLine, "lineId">) => {
    if (line) {
      replaceLine(cartStore, line.lineId, changed);
      goBack(up);
    } else {
      addToCart(cartStore, changed, () => {
        toast(`${item.name} added to your cart`, "success");
        goBack(up);
      });
    }
  };
  return (
    <Customizer
      // Resets the state for another line or item.
      key={`${itemId} ${lineId ?? ""}`}
      item={item}
      line={line}
      back={<BackButton up={up} onStage />}
      onSubmit={submit}
    />
  );
}
