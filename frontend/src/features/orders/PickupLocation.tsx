import Navigation from "lucide-react/icons/navigation";
import Phone from "lucide-react/icons/phone";
import type { ReactNode } from "react";
import { formatDistance } from "@/lib/geo";
import { StorePhoto } from "@/ui/StorePhoto";
import type { Order } from "./queries";

interface PickupLocationProps {
  order: Pick<Order, "storeId" | "storeName" | "storeAddress">;
  /** Undefined until it is loaded. */
  store: { phone: string; storePhoto: string; distanceMeters: number | null } | undefined;
}

/** The store with its distance, and links to directions and its phone. */
export function PickupLocation({
  order: { storeId, storeName, storeAddress },
  store,
}: PickupLocationProps): ReactNode {
  const destination = `${storeName}, ${storeAddress}`;
  const query = new URLSearchParams({ api: "1", destination });
  return (
    <div className="flex items-center gap-3 rounded-card bg-surface py-2.5 pr-2 pl-4">
      {/* On the narrowest phones the address needs the space. */}
      <span className="max-[359px]:hidden">
        <StorePhoto storeId={storeId} src={store?.storePhoto ?? ""} />
      </span>
      <span className="min-w-0 flex-1">
        <b className="t-strong block">{storeName}</b>
        <span className="t-small num block text-ink-2">
          {storeAddress}
          {store?.distanceMeters != null && `, ${formatDistance(store.distanceMeters)}`}
        </span>
      </span>
      <span className="flex">
        <a
          href={`https://www.google.com/maps/dir/?${query}`}
          data-map-destination={destination}
          target="_blank"
          rel="noreferrer"
          aria-label={`Directions to ${storeName}`}
          className="grid size-target place-items-center rounded-full text-accent"
        >
          <Navigation aria-hidden="true" size={24} strokeWidth={1.75} />
        </a>
        {store?.phone && (
          <a
            href={`tel:${store.phone}`}
            aria-label={`Call ${storeName}`}
            className="grid size-target place-items-center rounded-full text-accent"
          >
            <Phone aria-hidden="true" size={24} strokeWidth={1.75} />
          </a>
        )}
      </span>
    </div>
  );
}
