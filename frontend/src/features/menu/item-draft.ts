import { useEffect } from "react";
import type { CartLine } from "@/state/cart";
import { removedOptions, storeItemOptions } from "@/state/item-options";

type ItemDraft = Pick<CartLine, "sizeId" | "quantity" | "choices" | "note">;

/** Returns how the consumer has customized the item so far, or undefined if another item was opened since. */
export function getItemDraft(key: string | undefined): ItemDraft | undefined {
  const { key: open, sizeId, quantity, all, note } = storeItemOptions.get();
  if (key === undefined || open !== key) return undefined;
  return { sizeId, quantity, note, choices: [...removedOptions.get(), ...all] };
}

/** Keeps each change of the customization. */
export function useItemDraft(key: string | undefined, draft: ItemDraft | undefined): void {
  const changed = JSON.stringify(draft);
  useEffect(() => {
    if (key === undefined || changed === undefined) return;
    const { sizeId, quantity, choices, note }: ItemDraft = JSON.parse(changed);
    storeItemOptions.set({
      key,
      sizeId,
      quantity,
      note,
      all: choices.filter(({ quantity }) => quantity > 0),
    });
    removedOptions.set(choices.filter(({ quantity }) => quantity === 0));
  }, [key, changed]);
}

export function clearItemDraft(): void {
  storeItemOptions.clear();
  removedOptions.clear();
}
