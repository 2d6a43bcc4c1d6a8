import type { CartStore } from "@/state/cart";
import type { Store } from "./queries";

/** "Open till 8 PM", "Open 24 hours", "Opens at 6:00 AM": the store's own sentence, as short as it stays clear. */
export function formatHours({ hoursToday }: Pick<Store, "hoursToday">): string {
  return hoursToday.replace("Open until", "Open till").replace(/:00 (AM|PM)/, " $1");
}

/** "14 stores near you"; "The nearest 40 stores" where there are more. */
export function formatStoreCount(count: number, located: boolean, more: boolean): string {
  if (more) return located ? `Nearest ${count} stores` : `First ${count} stores`;
  const stores = count === 1 ? "1 store" : `${count} stores`;
  return located ? `${stores} near you` : stores;
}

/** What the cart keeps of the store it is for. */
export function toCartStore(store: Store): CartStore {
  const { storeId, name, street, city, region, postcode, timeZone, taxRatePpm } = store;
  return {
    storeId,
    storeName: name,
    storeAddress: `${street}, ${city}, ${region} ${postcode}`,
    storePhoto: "",
    timeZone,
    taxRate: taxRatePpm,
  };
}
