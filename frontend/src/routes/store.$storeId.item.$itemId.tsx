import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, useCanGoBack, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { object, string } from "valibot";
import { addToCart } from "@/features/menu/add-to-cart";
import { Customizer } from "@/features/menu/Customizer";
import { ItemSkeleton } from "@/features/menu/ItemSkeleton";
import { itemQuery } from "@/features/menu/queries";
import { toCartStore } from "@/features/stores/format";
import { storeQuery } from "@/features/stores/queries";
import { searchParam } from "@/lib/search";
import { BackButton } from "@/shell/Header";
import { type CartLine, cartItem, replaceLine } from "@/state/cart";
import { toast } from "@/ui/toast";

export const Route = createFileRoute("/store/$storeId/item/$itemId")({
  /** `line`: the line of the cart that is being changed. */
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
  const leave = useLeave();
  const line = cartItem.get().items.find((known) => known.lineId === lineId && known.itemId === itemId);
  const cartStore = toCartStore(store);
  const submit = (made: Omit<CartLine, "lineId">) => {
    if (line) {
      replaceLine(cartStore, line.lineId, made);
      leave("/cart");
    } else {
      addToCart(cartStore, made, () => {
        toast(`${item.name} added to your cart`, "success");
        leave(`/store/${storeId}/menu`);
      });
    }
  };
  return (
    <Customizer
      // Another line or item starts afresh.
      key={`${itemId} ${lineId ?? ""}`}
      item={item}
      line={line}
      back={<BackButton up={line ? "/cart" : `/store/${storeId}/menu`} onStage />}
      onSubmit={submit}
    />
  );
}

/** Back to the screen this one was opened from, or to `up` where that was outside the app. */
function useLeave(): (up: string) => void {
  const router = useRouter();
  const inside = useCanGoBack();
  return (up) => (inside ? router.history.back() : void router.navigate({ to: up, replace: true }));
}
