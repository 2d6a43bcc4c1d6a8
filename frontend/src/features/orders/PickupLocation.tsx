import Navigation from "lucide-react/icons/navigation";
import Phone from "lucide-react/icons/phone";
import type { ReactNode } from "react";
import type { Order } from "./queries";

/** The store with links to directions and its phone. */
export function PickupLocation({
  order: { storeName, storeAddress },
  phone,
}: {
  order: Pick<Order, "storeName" | "storeAddress">;
  phone: string | undefined;
}): ReactNode {
  const destination = new URLSearchParams({ api: "1", destination: `${storeName}, ${storeAddress}` });
  return (
    <div className="flex items-center rounded-card bg-surface py-2.5 pr-2 pl-4">
      <span className="min-w-0 flex-1">
        <b className="t-strong block">{storeName}</b>
        <span className="t-small block text-ink-2">{storeAddress}</span>
      </span>
      <a
        href={`https://www.google.com/maps/dir/?${destination}`}
        target="_blank"
        rel="noreferrer"
        aria-label={`Directions to ${storeName}`}
        className="grid size-target place-items-center rounded-full text-accent"
      >
        <Navigation aria-hidden="true" size={24} strokeWidth={1.75} />
      </a>
      {phone && (
        <a
          href={`tel:${phone}`}
          aria-label={`Call ${storeName}`}
          className="grid size-target place-items-center rounded-full text-accent"
        >
          <Phone aria-hidden="true" size={24} strokeWidth={1.75} />
        </a>
      )}
    </div>
  );
}
