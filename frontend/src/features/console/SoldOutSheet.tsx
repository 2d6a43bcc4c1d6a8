import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { errorMessage } from "@/api/errors";
import { Button } from "@/ui/Button";
import { TextInput } from "@/ui/Field";
import { Sheet } from "@/ui/Sheet";
import { SkeletonRows } from "@/ui/Skeleton";
import { useSetSoldOut } from "./mutations";
import { storeMenuQuery } from "./queries";

interface SoldOutSheetProps {
  storeId: string;
  open: boolean;
  onClose: () => void;
}

/** Switches items off that have run out, and on again. Guests see it at once. */
export function SoldOutSheet({ storeId, open, onClose }: SoldOutSheetProps): ReactNode {
  return (
    <Sheet
      title="Sold out"
      description="Switch off what has run out. Guests see it at once."
      open={open}
      onClose={onClose}
      action={
        <Button big variant="soft" onClick={onClose}>
          Done
        </Button>
      }
    >
      <ItemSwitches storeId={storeId} />
    </Sheet>
  );
}

function ItemSwitches({ storeId }: { storeId: string }): ReactNode {
  const { data: items, error } = useQuery(storeMenuQuery(storeId));
  const setSoldOut = useSetSoldOut(storeId);
  const [term, setTerm] = useState("");
  if (error && !items) return <p className="py-4 text-danger">{errorMessage(error)}</p>;
  if (!items) return <SkeletonRows count={6} />;
  const shown = items.filter(({ name }) => name.toLowerCase().includes(term.trim().toLowerCase()));
  return (
    <>
      <div className="sticky top-0 z-1 bg-ground pt-2">
        <TextInput label="Find an item" value={term} onChange={(event) => setTerm(event.target.value)} />
      </div>
      <ul className="divide-y divide-line">
        {shown.map(({ itemId, name, soldOut }) => (
          <li key={itemId}>
            <label className="flex min-h-bar cursor-pointer items-center justify-between gap-4">
              <span className="t-strong">{name}</span>
              <span className="flex items-center gap-3">
                {soldOut && <span className="t-small text-ink-2">Sold out</span>}
                <input
                  type="checkbox"
                  className="console-switch"
                  aria-label={`${name} available`}
                  checked={!soldOut}
                  onChange={() => setSoldOut.mutate({ itemId, soldOut: !soldOut })}
                />
              </span>
            </label>
          </li>
        ))}
      </ul>
    </>
  );
}
