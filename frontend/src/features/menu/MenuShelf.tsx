import type { ReactNode } from "react";
import { useIdleReady } from "@/lib/use-idle-ready";
import type { CartStore } from "@/state/cart";
import { MenuTile } from "./MenuTile";
import type { MenuItem } from "./queries";
import { useAddDefault } from "./use-add-default";

interface MenuShelfProps {
  id: string;
  title: string;
  store: CartStore;
  items: readonly MenuItem[];
}

/** The items that are visible at first. */
const FIRST_TILES = 3;

/** Items of the menu in a row that scrolls sideways. Hidden without items. */
export function MenuShelf({ id, title, items, store }: MenuShelfProps): ReactNode {
  if (items.length === 0) return null;
  return (
    <section aria-labelledby={id} className="pt-5">
      <h2 id={id} className="t-heading px-gutter">
        {title}
      </h2>
      <ul className="shelf">
        <Tiles items={items} store={store} />
      </ul>
    </section>
  );
}

function Tiles({ items, store }: Pick<MenuShelfProps, "items" | "store">): ReactNode {
  const { add, adding } = useAddDefault(store);
  const isReady = useIdleReady();
  return items.map((item, index) =>
    isReady || index < FIRST_TILES ? (
      <MenuTile
        key={item.itemId}
        storeId={store.storeId}
        item={item}
        onAdd={add}
        busy={adding === item.itemId}
      />
    ) : (
      <li key={item.itemId} />
    ),
  );
}
