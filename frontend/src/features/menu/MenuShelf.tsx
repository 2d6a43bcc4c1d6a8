import type { ReactNode } from "react";
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

/** Items of the menu in a row that scrolls sideways. Hidden without items. */
export function MenuShelf({ id, title, store, items }: MenuShelfProps): ReactNode {
  const { add, adding } = useAddDefault(store);
  if (items.length === 0) return null;
  return (
    <section aria-labelledby={id} className="pt-5">
      <h2 id={id} className="t-heading px-gutter">
        {title}
      </h2>
      <ul className="shelf">
        {items.map((item) => (
          <MenuTile
            key={item.itemId}
            storeId={store.storeId}
            item={item}
            onAdd={add}
            busy={adding === item.itemId}
          />
        ))}
      </ul>
    </section>
  );
}
