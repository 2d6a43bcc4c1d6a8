import { read } from "@/api/client";
import type { GetData } from "@/api/contract";
import { sizeIndexOf } from "@/art/size-index";
import { customChoices } from "@/lib/format-line";
import { addLine, type CartLine, type CartStore } from "@/state/cart";
import type { Order } from "./queries";

type Repeated = GetData<"/order/repeat">;

/** What of an earlier order can be had again. */
export const repeatOrder = (orderId: string): Promise<Repeated> => read("/order/repeat", { orderId });

/** Puts what can be had again into the cart; returns how many lines that were. */
export function addRepeatedLines(order: Order, { cart }: Pick<Repeated, "cart">): number {
  const store: CartStore = {
    storeId: order.storeId,
    storeName: order.storeName,
    storeAddress: order.storeAddress,
    storePhoto: "",
    timeZone: order.timeZone,
    taxRate: order.taxRatePpm,
  };
  const lines = cart.lines.flatMap((asked): Omit<CartLine, "lineId">[] => {
    const then = order.lines.find(({ lineId }) => lineId === asked.lineId);
    if (!then) return [];
    return [
      {
        itemId: asked.itemId,
        sizeId: asked.sizeId,
        quantity: asked.quantity,
        note: asked.note,
        name: then.itemName,
        sizeName: then.sizeName,
        unitPrice: then.unitPrice.currencyAmount,
        sizeIndex: sizeIndexOf(then.art, then.sizeName),
        art: then.art,
        choices: asked.choices.map((choice) => choiceOf(choice, then)),
      },
    ];
  });
  for (const line of lines) addLine(store, line);
  return lines.length;
}

function choiceOf(asked: Repeated["cart"]["lines"][number]["choices"][number], then: Order["lines"][number]) {
  const ordered = then.choices.find(({ choiceId }) => choiceId === asked.choiceId);
  const [named] = ordered ? customChoices([{ ...ordered, isDefault: false }]) : [];
  return { ...asked, name: named?.name ?? "", artKey: ordered?.artKey ?? "" };
}
