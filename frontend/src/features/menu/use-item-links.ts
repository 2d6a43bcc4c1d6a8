import { useRouter } from "@tanstack/react-router";
import { type MouseEvent, useMemo } from "react";

/** The delay before an item is preloaded, so that passing over a tile does not load it. */
const PRELOAD_DELAY_MS = 50;

/** Links to the items of a store. */
export interface ItemLinks {
  address(itemId: string): string;
  /** Opens the item within the app, unless the click asks for a new tab or window. */
  open(event: MouseEvent, itemId: string): void;
  /** Loads the item soon. */
  preload(itemId: string): void;
  cancelPreload(): void;
}

/** Replaces the links of the router where a screen has many: each of those follows the location and builds its own address. */
export function useItemLinks(storeId: string): ItemLinks {
  const router = useRouter();
  return useMemo(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const item = (itemId: string) =>
      ({ to: "/store/$storeId/item/$itemId", params: { storeId, itemId } }) as const;
    return {
      address: (itemId) => `/store/${encodeURIComponent(storeId)}/item/${encodeURIComponent(itemId)}`,
      open(event, itemId) {
        const { button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented } = event;
        if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
        event.preventDefault();
        void router.navigate(item(itemId));
      },
      preload(itemId) {
        clearTimeout(timer);
        timer = setTimeout(() => void router.preloadRoute(item(itemId)), PRELOAD_DELAY_MS);
      },
      cancelPreload: () => clearTimeout(timer),
    };
  }, [router, storeId]);
}
