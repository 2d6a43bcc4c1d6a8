import type { ReactNode } from "react";
import { useIdleReady } from "@/lib/use-idle-ready";
import type { CartStore } from "@/state/cart";
import { sectionId } from "./CategoryBar";
import { MenuTile } from "./MenuTile";
import type { MenuItem, MenuSection } from "./queries";
import { useAddDefault } from "./use-add-default";

interface MenuListProps {
  store: CartStore;
  sections: readonly MenuSection[];
}

/** Tiles of the first section that are rendered at once. */
const FIRST_TILES = 4;

/** The sections of a menu. Tiles after the first are filled while the browser is idle. */
export function MenuList({ store, sections }: MenuListProps): ReactNode {
  const { add, adding } = useAddDefault(store);
  return sections.map((section, index) => (
    <Section
      key={section.category.categoryId}
      storeId={store.storeId}
      section={section}
      isFirst={index === 0}
      onAdd={add}
      adding={adding}
    />
  ));
}

interface SectionProps {
  storeId: string;
  section: MenuSection;
  isFirst: boolean;
  onAdd: (item: MenuItem) => void;
  /** The item that is being added. */
  adding: string | null;
}

function Section({ storeId, section: { category, items }, isFirst, onAdd, adding }: SectionProps): ReactNode {
  const isReady = useIdleReady();
  const id = sectionId(category.categoryId);
  return (
    <section
      id={id}
      data-category={category.categoryId}
      aria-labelledby={`${id}-name`}
      className="scroll-mt-13 px-gutter pt-5"
    >
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h2 id={`${id}-name`} tabIndex={-1} className="t-heading outline-none">
          {category.name}
        </h2>
        <span className="t-small num whitespace-nowrap text-ink-2">{formatCount(items)}</span>
      </div>
      <ul className="grid grid-cols-2 gap-x-3 gap-y-5 large-text:grid-cols-1 min-[560px]:grid-cols-3">
        {items.map((item, index) =>
          isReady || (isFirst && index < FIRST_TILES) ? (
            <MenuTile
              key={item.itemId}
              storeId={storeId}
              item={item}
              onAdd={onAdd}
              busy={adding === item.itemId}
            />
          ) : (
            <li key={item.itemId} className="min-h-57" />
          ),
        )}
      </ul>
    </section>
  );
}

function formatCount(items: readonly MenuItem[]): string {
  const drinks = items.every(({ kind }) => kind === "drink");
  const noun = drinks ? "drink" : "item";
  return `${items.length} ${items.length === 1 ? noun : `${noun}s`}`;
}
