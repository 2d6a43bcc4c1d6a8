import type { GetData } from "@/api/contract";
import { getSizeIndex } from "@/art/size-index";
import { customChoices } from "@/lib/format-line";
import type { CartLine, CartStore } from "@/state/cart";
import { addLine } from "@/state/cart-lines";
import type { Order } from "./queries";

type RepeatedCart = GetData<"/order/repeat">["cart"];
type RepeatedChoice = RepeatedCart["items"][number]["choices"][number];
type OrderLine = Order["lines"][number];

/** Adds the available lines of a previous order to the cart. Returns the number of added lines. */
export function addRepeatedLines(order: Order, cart: RepeatedCart): number {
  const store: CartStore = {
    storeId: order.storeId,
    storeName: order.storeName,
    storeAddress: order.storeAddress,
    storePhoto: cart.storePhoto ?? "",
    timeZone: order.timeZone,
    taxRate: order.taxRatePpm,
  };
  const lines = cart.items.flatMap((line): Omit<CartLine, "lineId">[] => {
    const ordered = order.lines.find(({ lineId }) => lineId === line.lineId);
    if (!ordered) return [];
    return [
      {
        itemId: line.itemId,
        sizeId: line.sizeId,
        quantity: line.quantity,
        note: line.note,
        name: ordered.itemName,
        sizeName: ordered.sizeName,
        unitPrice: ordered.unitPrice.currencyAmount,
        sizeIndex: getSizeIndex(ordered.art, ordered.sizeName),
        art: ordered.art,
        choices: line.choices.map((choice) => toCartChoice(choice, ordered)),
      },
    ];
  });
  for (const line of lines) addLine(store, line);
  return lines.length;
}

function toCartChoice(choice: RepeatedChoice, line: OrderLine): CartLine["choices"][number] {
  const ordered = line.choices.find(({ choiceId }) => choiceId === choice.choiceId);
  const [named] = ordered ? customChoices([ordered]) : [];
  return { ...choice, name: named?.name ?? "", artKey: ordered?.artKey ?? "" };
}
