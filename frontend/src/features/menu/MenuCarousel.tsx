import type { ReactNode } from "react";
import type { CartStore } from "@/state/cart";
import { MenuTiles, useTileActions } from "./MenuTiles";
import type { MenuItem } from "./queries";

interface MenuCarouselProps {
  id: string;
  title: string;
  store: CartStore;
  items: readonly MenuItem[];
}

/** The items that are visible at first. */
const FIRST_TILES = 3;

/** Items of the menu in a row that scrolls sideways. Hidden without items. */
export function MenuCarousel({ id, title, items, store }: MenuCarouselProps): ReactNode {
  const actions = useTileActions(store);
  if (items.length === 0) return null;
  return (
    <section aria-labelledby={id} className="pt-5">
      <h2 id={id} className="t-heading px-gutter">
        {title}
      </h2>
      <ul className="shelf">
        <MenuTiles items={items} first={FIRST_TILES} actions={actions} />
      </ul>
    </section>
  );
}
