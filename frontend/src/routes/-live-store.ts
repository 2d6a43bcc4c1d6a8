import { useQueryClient } from "@tanstack/react-query";
import { menuKeys } from "@/features/menu/queries";
import { usualItemKeys } from "@/features/menu/usual-items";
import { storeKeys } from "@/features/stores/queries";
import { type StoreEvent, useStoreEvents } from "@/features/stores/use-store-events";

/**
 * What was read longer ago when the stream opens may have changed unnoticed. A screen that has just been loaded is not read twice;
 * checkout validates the cart in any case.
 */
const MAX_GAP_MS = 5_000;

/** Keeps the visible parts of a menu, and the state of its store, current. */
export function useLiveStore(storeId: string): void {
  const queryClient = useQueryClient();
  const keys: Record<StoreEvent, readonly (readonly string[])[]> = {
    // Only the visible menu or item.
    opened: [menuKeys.menu(storeId), menuKeys.items(storeId)],
    menu: [
      menuKeys.menu(storeId),
      menuKeys.categories(storeId),
      menuKeys.items(storeId),
      menuKeys.groups(storeId),
      menuKeys.topOrdered(storeId),
      usualItemKeys.all,
    ],
    status: [storeKeys.store(storeId), storeKeys.status(storeId), storeKeys.pickup(storeId)],
  };
  useStoreEvents(storeId, (event) => {
    const readBefore = event === "opened" ? Date.now() - MAX_GAP_MS : Number.POSITIVE_INFINITY;
    for (const queryKey of keys[event]) {
      void queryClient.invalidateQueries({
        queryKey,
        predicate: ({ state }) => state.dataUpdatedAt < readBefore,
      });
    }
  });
}
