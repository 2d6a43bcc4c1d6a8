import type { QueryClient } from "@tanstack/react-query";
import type { GetData } from "@/api/contract";
import { isMissing } from "@/api/errors";
import { type CartStore, cartItem } from "@/state/cart";
import { addLine } from "@/state/cart-lines";
import { toCartLine } from "./cart-line";
import { itemQuery } from "./queries";
import { createSelectionFromLine } from "./selection";

type LineChange = GetData<"/cart/data">["changes"][number];
type SavedCart = NonNullable<GetData<"/user/cart">["cart"]>;

/**
 * Restores the saved cart on the device. The saved cart has only ids; names and drawings come from the menu. Lines that cannot
 * be ordered, which `changes` lists, are left out, and so are lines in a size that is gone. Returns the number of restored lines.
 */
export async function restoreCart(
  queryClient: QueryClient,
  store: CartStore,
  saved: SavedCart,
  changes: readonly Pick<LineChange, "lineId" | "after">[],
): Promise<number> {
  const unavailable = new Set(changes.filter(({ after }) => after === null).map(({ lineId }) => lineId));
  const available = saved.items.filter(({ lineId }) => !unavailable.has(lineId));
  const lines = await Promise.all(
    available.map(async (line) => {
      const item = await queryClient
        .ensureQueryData(itemQuery(saved.storeId, line.itemId))
        .catch(undefinedIfNotFound);
      if (!item?.sizes.some(({ sizeId, soldOut }) => sizeId === line.sizeId && !soldOut)) return undefined;
      const choices = line.choices.map((choice) => ({ ...choice, name: "", artKey: "" }));
      const selection = createSelectionFromLine(item, { sizeId: line.sizeId, choices });
      return toCartLine(item, selection, line.quantity, line.note);
    }),
  );
  const restored = lines.filter((line) => line !== undefined);
  for (const line of restored) addLine(store, line);
  if (restored.length > 0) restoreChoices(saved);
  return restored.length;
}

/** Restores pickup, time, promo code and tip. Checkout resets those that are no longer possible. */
function restoreChoices({ pickup, schedule, promo, tipAmount }: SavedCart): void {
  const { code, type = "fixed", value = 0 } = promo;
  cartItem.set((cart) => ({
    ...cart,
    pickup,
    schedule: schedule ?? "",
    promo: { code, type, value },
    tipAmount,
  }));
}

/** Other errors, for example without a network, do not mean that the item is gone. */
function undefinedIfNotFound(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}
