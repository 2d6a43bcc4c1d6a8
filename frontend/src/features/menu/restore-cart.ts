import type { QueryClient } from "@tanstack/react-query";
import type { GetData } from "@/api/contract";
import { addLine, type CartStore } from "@/state/cart";
import { toCartLine } from "./cart-line";
import { itemQuery } from "./queries";
import { selectionFromLine } from "./selection";

type SavedCart = NonNullable<GetData<"/user/cart">["cart"]>;

/**
 * Puts the server's copy of a cart back on the device: it has ids only, the menu has names and drawings. What is no
 * longer on the menu stays out. Returns how many lines came back.
 */
export async function restoreCart(
  queryClient: QueryClient,
  store: CartStore,
  saved: SavedCart,
): Promise<number> {
  const lines = await Promise.allSettled(
    saved.lines.map(async (line) => {
      const item = await queryClient.ensureQueryData(itemQuery(saved.storeId, line.itemId));
      const named = line.choices.map((choice) => ({ ...choice, name: "", artKey: "" }));
      const selection = selectionFromLine(item, { sizeId: line.sizeId, choices: named });
      return toCartLine(item, selection, line.quantity, line.note);
    }),
  );
  const found = lines.flatMap((line) => (line.status === "fulfilled" ? [line.value] : []));
  for (const line of found) addLine(store, line);
  return found.length;
}
