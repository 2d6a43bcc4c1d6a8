import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { errorMessage } from "@/api/errors";
import type { CartStore } from "@/state/cart";
import { toast } from "@/ui/toast";
import { addToCart } from "./add-to-cart";
import { sectionId } from "./CategoryBar";
import { toCartLine } from "./cart-line";
import { MenuTile } from "./MenuTile";
import { itemQuery, type MenuItem, type MenuSection } from "./queries";
import { createDefaultSelection, findIncompleteGroup, findSize } from "./selection";

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

/** Adds the default item to the cart, or opens the item if a choice is required first. */
function useAddDefault(store: CartStore) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [adding, setAdding] = useState<string | null>(null);
  const add = async ({ itemId }: MenuItem) => {
    setAdding(itemId);
    try {
      const item = await queryClient.ensureQueryData(itemQuery(store.storeId, itemId));
      const selection = createDefaultSelection(item);
      const line = toCartLine(item, selection, 1);
      const isSoldOut = item.soldOut || findSize(item, selection)?.soldOut;
      if (!line || isSoldOut || findIncompleteGroup(item, selection)) {
        await navigate({ to: "/store/$storeId/item/$itemId", params: { storeId: store.storeId, itemId } });
        return;
      }
      addToCart(store, line, () => toast(`${item.name} added to your cart`, "success"));
    } catch (error) {
      toast(errorMessage(error), "error");
    } finally {
      setAdding(null);
    }
  };
  return { add, adding };
}
