import type { PostBody } from "@/api/contract";
import type { Cart } from "./cart";

type ContractCart = PostBody<"/order/pricing">["cart"];

/** Converts the cart to the request format, without the fields for display, which the server writes. */
export function toContractCart(cart: Cart): ContractCart {
  return {
    cartId: cart.cartId,
    storeId: cart.storeId,
    items: cart.items.map(({ lineId, itemId, sizeId, quantity, choices, note }) => ({
      lineId,
      itemId,
      sizeId,
      quantity,
      choices: choices.map(({ modificationId, choiceId, quantity }) => ({
        modificationId,
        choiceId,
        quantity,
      })),
      note,
    })),
    pickup: cart.pickup,
    promo: { code: cart.promo.code },
    schedule: cart.schedule || null,
    tipAmount: cart.tipAmount,
  };
}
