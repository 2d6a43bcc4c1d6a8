import { memo, type ReactNode } from "react";
import type { CartStore } from "@/state/cart";
import { sectionId } from "./CategoryBar";
import { MenuTiles, useTileActions } from "./MenuTiles";
import type { MenuItem, MenuSection } from "./queries";

interface MenuListProps {
  store: CartStore;
  sections: readonly MenuSection[];
}

/** Tiles of the first section that are rendered at once. */
const FIRST_TILES = 4;

/** The sections of a menu. The menu is rendered again often, but rarely with other sections. */
export const MenuList = memo(function MenuList({ store, sections }: MenuListProps): ReactNode {
  const actions = useTileActions(store);
  return sections.map((section, index) => (
    <Section
      key={section.category.categoryId}
      section={section}
      first={index === 0 ? FIRST_TILES : 0}
      actions={actions}
    />
  ));
});

interface SectionProps {
  section: MenuSection;
  first: number;
  actions: ReturnType<typeof useTileActions>;
}

function Section({ section: { category, items }, first, actions }: SectionProps): ReactNode {
  const id = sectionId(category.categoryId);
  return (
    <section
      id={id}
      data-category={category.categoryId}
      aria-labelledby={`${id}-name`}
      className="menu-section scroll-mt-13 px-gutter pt-5 pb-1"
      style={{ "--items": String(items.length) }}
    >
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h2 id={`${id}-name`} tabIndex={-1} className="t-heading outline-none">
          {category.name}
        </h2>
        <span className="t-small num whitespace-nowrap text-ink-2">{formatCount(items)}</span>
      </div>
      <ul className="grid grid-cols-2 gap-x-3 gap-y-5 large-text:grid-cols-1 min-[560px]:grid-cols-3">
        <MenuTiles items={items} first={first} space="min-h-57" actions={actions} />
      </ul>
    </section>
  );
}

function formatCount(items: readonly MenuItem[]): string {
  const drinks = items.every(({ kind }) => kind === "drink");
  const noun = drinks ? "drink" : "item";
  return `${items.length} ${items.length === 1 ? noun : `${noun}s`}`;
}
