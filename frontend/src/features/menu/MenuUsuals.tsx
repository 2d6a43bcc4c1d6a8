import type { ReactNode } from "react";
import type { CartStore } from "@/state/cart";
import { toast } from "@/ui/toast";
import { addToCart } from "./add-to-cart";
import { sectionId, USUALS } from "./CategoryBar";
import { UsualItems } from "./UsualItems";
import { toUsualLine, type UsualItem } from "./usual-items";

interface MenuUsualsProps {
  store: CartStore;
  items: readonly UsualItem[];
}

/** The usual items of a signed-in consumer on a menu. Hidden without items. */
export function MenuUsuals({ store, items }: MenuUsualsProps): ReactNode {
  if (items.length === 0) return null;
  return (
    <div id={sectionId(USUALS.categoryId)} data-category={USUALS.categoryId} className="scroll-mt-13">
      <UsualItems
        items={items}
        onAdd={(item) => {
          const line = toUsualLine(item);
          if (line) addToCart(store, line, () => toast(`${item.name} added to your cart`, "success"));
        }}
      />
    </div>
  );
}
