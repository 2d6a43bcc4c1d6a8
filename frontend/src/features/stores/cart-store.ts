import type { CartStore } from "@/state/cart";
import type { Store } from "./queries";

export function toCartStore(store: Store): CartStore {
  const { storeId, name, street, city, region, postcode, timeZone, taxRatePpm } = store;
  return {
    storeId,
    storeName: name,
    storeAddress: `${street}, ${city}, ${region} ${postcode}`,
    storePhoto: store.storePhoto,
    timeZone,
    taxRate: taxRatePpm,
  };
}
