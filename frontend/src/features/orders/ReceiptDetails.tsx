import type { ReactNode } from "react";
import { formatDay, formatTimeOfDay } from "@/lib/time";
import type { Receipt } from "./queries";

/** Store, day and time of a receipt. */
export function ReceiptDetails({ receipt, now }: { receipt: Receipt; now: Date }): ReactNode {
  const { storeName, storeAddress, timeZone, completedAt, createdAt } = receipt;
  const at = completedAt ?? createdAt;
  return (
    <div className="pt-3 pb-2">
      <h2 className="t-title">{storeName}</h2>
      <p className="text-ink-2">{storeAddress}</p>
      <p className="num pt-2">
        {formatDay(at, timeZone, now)}, {formatTimeOfDay(at, timeZone)}
      </p>
    </div>
  );
}
