/** The consumer's usual items: items saved with their customization. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { read, write } from "@/api/client";
import type { GetData } from "@/api/contract";
import { getSizeIndex } from "@/art/size-index";
import { customChoices } from "@/lib/format-line";
import type { CartLine } from "@/state/cart";

type UsualItemList = GetData<"/store/usual-items">;
export type UsualItem = UsualItemList["items"][number];
type NewLine = Omit<CartLine, "lineId">;

export const usualItemKeys = {
  all: ["usual-items"] as const,
  store: (storeId: string) => ["usual-items", storeId] as const,
};

/** The usual items on the menu of a store, with its prices. Without a store: all, each at the store where it was saved. */
export const usualItemsQuery = (storeId?: string) =>
  queryOptions({
    queryKey: usualItemKeys.store(storeId ?? ""),
    queryFn: ({ signal }) => read("/store/usual-items", storeId ? { storeId } : {}, { signal }),
    staleTime: 60_000,
  });

export function useAddUsualItem(storeId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ itemId, sizeId, choices, note }: NewLine) =>
      write("/item/add-usual-item", {
        storeId,
        itemId,
        sizeId,
        choices: choices.map(({ modificationId, choiceId, quantity }) => ({
          modificationId,
          choiceId,
          quantity,
        })),
        note,
        name: "",
      }),
    onSuccess: (added) => {
      queryClient.setQueryData(usualItemsQuery(storeId).queryKey, (list) =>
        list ? { items: [added, ...list.items.filter((item) => !isSameId(item, added))] } : list,
      );
      return queryClient.invalidateQueries({ queryKey: usualItemKeys.all });
    },
  });
}

export function useDeleteUsualItem() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ usualItemId }: UsualItem) => write("/item/delete-usual-item", { usualItemId }),
    onSuccess: (_, deleted) => {
      queryClient.setQueriesData<UsualItemList>({ queryKey: usualItemKeys.all }, (list) =>
        list ? { items: list.items.filter((item) => !isSameId(item, deleted)) } : list,
      );
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: usualItemKeys.all }),
  });
}

const isSameId = (a: UsualItem, b: UsualItem): boolean => a.usualItemId === b.usualItemId;

/** Returns the usual item with exactly this customization. */
export function findUsualItem(items: readonly UsualItem[], line: NewLine): UsualItem | undefined {
  const key = choicesKey(line.choices);
  return items.find(
    (item) =>
      item.itemId === line.itemId &&
      item.sizeId === line.sizeId &&
      item.note === line.note &&
      choicesKey(item.choices) === key,
  );
}

const choicesKey = (choices: UsualItem["choices"]): string =>
  choices
    .map(({ modificationId, choiceId, quantity }) => `${modificationId}/${choiceId}/${quantity}`)
    .sort()
    .join();

/** Returns the cart line of one, or undefined if the item cannot be ordered now. */
export function toUsualLine(item: UsualItem): NewLine | undefined {
  const { line, problem } = item;
  if (!line || problem) return undefined;
  return {
    itemId: item.itemId,
    sizeId: item.sizeId,
    quantity: 1,
    note: item.note,
    name: line.itemName,
    sizeName: line.sizeName,
    unitPrice: line.unitPrice.currencyAmount,
    sizeIndex: getSizeIndex(line.art, line.sizeName),
    art: line.art,
    choices: item.choices.map((choice) => {
      const resolved = line.choices.find(({ choiceId }) => choiceId === choice.choiceId);
      const [named] = resolved ? customChoices([{ ...resolved, isDefault: false }]) : [];
      return { ...choice, name: named?.name ?? "", artKey: resolved?.artKey ?? "" };
    }),
  };
}
