import { cents } from "@/lib/money";
import type { UsualItem } from "../usual-items";
import { icedVanillaLatte } from "./items";

/** A large iced vanilla latte with oat milk. */
export const usualLatte: UsualItem = {
  usualItemId: "usual-1",
  storeId: "sunset",
  storeName: "Sunset & Maltman",
  name: icedVanillaLatte.name,
  itemId: icedVanillaLatte.itemId,
  sizeId: "large",
  choices: [{ modificationId: "milk", choiceId: "oat", quantity: 1 }],
  note: "",
  line: {
    itemName: icedVanillaLatte.name,
    sizeName: "Large",
    kind: "drink",
    art: icedVanillaLatte.art,
    unitPrice: cents(650),
    choices: [
      {
        modificationId: "milk",
        modificationName: "Milk",
        choiceId: "oat",
        choiceName: "Oat",
        quantity: 1,
        price: cents(70),
        artKey: "milk:oat",
        isDefault: false,
      },
    ],
  },
  problem: null,
};
