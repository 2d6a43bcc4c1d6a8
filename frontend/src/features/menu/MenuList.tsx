import type { ReactNode } from "react";
import type { CartStore } from "@/state/cart";
import { sectionId } from "./CategoryBar";
import { MenuTile } from "./MenuTile";
import type { MenuItem, MenuSection } from "./queries";
import { useAddDefault } from "./use-add-default";

interface MenuListProps {
  store: CartStore;
  sections: readonly MenuSection[];
}

export function MenuList({ store, sections }: MenuListProps): ReactNode {
  const { add, adding } = useAddDefault(store);
  return sections.map(({ category, items }) => (
    <section
      key={category.categoryId}
      id={sectionId(category.categoryId)}
      data-category={category.categoryId}
      aria-labelledby={`${sectionId(category.categoryId)}-name`}
      className="scroll-mt-13 px-gutter pt-5"
    >
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h2 id={`${sectionId(category.categoryId)}-name`} tabIndex={-1} className="t-heading outline-none">
          {category.name}
        </h2>
        <span className="t-small num whitespace-nowrap text-ink-2">{formatCount(items)}</span>
      </div>
      <ul className="grid grid-cols-2 gap-x-3 gap-y-5 large-text:grid-cols-1 min-[560px]:grid-cols-3">
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
  ));
}

function formatCount(items: readonly MenuItem[]): string {
  const drinks = items.every(({ kind }) => kind === "drink");
  const noun = drinks ? "drink" : "item";
  return `${items.length} ${items.length === 1 ? noun : `${noun}s`}`;
}
