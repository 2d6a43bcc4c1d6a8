import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { GetData } from "@/api/contract";
import { clearSavedCart } from "@/features/cart/save-cart";
import { savedCartQuery } from "@/features/home/queries";
import { SavedCartCard } from "@/features/home/SavedCartCard";
import { restoreCart } from "@/features/menu/restore-cart";
import { ordersQuery } from "@/features/orders/queries";
import { toCartStore } from "@/features/stores/cart-store";
import { storeCardQuery } from "@/features/stores/queries";
import { confirmChanges } from "@/shell/confirm-changes";
import { cartDataQuery } from "@/shell/queries";
import { cartItem, countItems } from "@/state/cart";
import { useItem } from "@/state/device-item";
import { toast } from "@/ui/toast";

type CartData = GetData<"/cart/data">;
type SavedCartOfDevice = NonNullable<CartData["cart"]>;

/** Offers to restore the saved cart if the device has none, unless an order was placed since. */
export function SavedCart(): ReactNode {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const isCartEmpty = useItem(cartItem).items.length === 0;
  const { data: saved } = useQuery({ ...savedCartQuery, enabled: isCartEmpty });
  const { data: orders } = useInfiniteQuery(ordersQuery);
  const restore = useMutation({
    mutationFn: async ({ cart, changes }: { cart: SavedCartOfDevice; changes: CartData["changes"] }) => {
      const store = await queryClient.ensureQueryData(storeCardQuery(cart.storeId));
      return restoreCart(queryClient, toCartStore(store), cart, changes);
    },
    onSuccess: (lineCount) => {
      if (lineCount > 0) void navigate({ to: "/cart" });
      else toast("Those items aren't on the menu anymore");
    },
  });
  const cart = saved?.cart;
  const check = useMutation({
    mutationFn: (storeId: string) => queryClient.fetchQuery(cartDataQuery(storeId)),
    onSuccess: (data) => {
      const { cart } = data;
      if (!cart) return;
      confirmChanges({
        changes: data.changes,
        description: "Since you saved your cart:",
        confirmLabel: data.quote?.lines.length ? "Restore cart" : undefined,
        onConfirm: () => restore.mutate({ cart, changes: data.changes }),
      });
    },
  });
  if (!isCartEmpty || !cart || cart.items.length === 0 || !orders) return null;
  const lastOrderAt = orders.pages[0]?.[0]?.createdAt ?? "";
  if (lastOrderAt >= (saved.savedAt ?? "")) return null;
  const dismiss = () => {
    queryClient.setQueryData(savedCartQuery.queryKey, { cart: null, savedAt: null });
    void clearSavedCart(cart);
  };
  return (
    <SavedCartCard
      count={countItems(cart.items)}
      busy={check.isPending || restore.isPending}
      onRestore={() => check.mutate(cart.storeId)}
      onDismiss={dismiss}
    />
  );
}
