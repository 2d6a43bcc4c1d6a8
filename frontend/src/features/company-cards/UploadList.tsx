import type { ReactNode } from "react";
import { formatMoney } from "@/lib/money";
import { deviceZone, formatDay } from "@/lib/time";
import type { Upload } from "./queries";

const STATES: Readonly<Record<Upload["state"], string>> = {
  RequiresAction: "Waiting for your bank",
  Processing: "Pending until your bank payment clears",
  Completed: "Added",
  Failed: "Payment failed. You weren't charged.",
  Returned: "Returned by your bank",
};

/** The purchases that added to a card: when, what was paid, and what it was worth. */
export function UploadList({ uploads }: { uploads: readonly Upload[] }): ReactNode {
  return (
    <ul aria-label="Added" className="divide-y divide-line">
      {uploads.map((upload) => (
        <li key={upload.purchaseId} className="flex items-start justify-between gap-4 py-3.5">
          <span className="min-w-0">
            <b className="t-strong block">{formatDay(upload.createdAt, deviceZone(), new Date())}</b>
            <span className="t-small block text-ink-2">{STATES[upload.state]}</span>
          </span>
          <span className="num shrink-0 text-right">
            <b className="t-strong block">+{formatMoney(upload.value)}</b>
            <span className="t-small block text-ink-2">You paid {formatMoney(upload.amount)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
