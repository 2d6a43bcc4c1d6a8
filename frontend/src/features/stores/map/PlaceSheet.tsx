import type { ReactNode } from "react";
import { useModal } from "@/shell/modals";
import { Sheet } from "@/ui/Sheet";
import type { Store } from "../queries";
import { StoreRow } from "../StoreRow";
import type { Place } from "./places";

/** The stores of one building, which share a pin: open ones first. */
export default function PlaceSheet({ stores }: { stores: Place }): ReactNode {
  return (
    <Sheet title={`${stores.length} stores here`}>
      <PlaceStores stores={stores} />
    </Sheet>
  );
}

export function PlaceStores({ stores }: { stores: readonly Store[] }): ReactNode {
  const modal = useModal();
  return (
    <ul aria-label="Stores here" className="divide-y divide-line">
      {[...stores].sort(byAvailability).map((store) => (
        <li key={store.storeId}>
          <StoreRow store={store} onOpen={modal?.close} />
        </li>
      ))}
    </ul>
  );
}

const byAvailability = (a: Store, b: Store): number =>
  Number(b.openState === "open") - Number(a.openState === "open") || a.name.localeCompare(b.name);
