import type { ReactNode } from "react";
import type { GetData } from "@/api/contract";
import { formatMoney } from "@/lib/money";

export type LineChange = GetData<"/cart/data">["changes"][number];

/** What is gone or has another price, line by line. */
export function ChangeList({ changes }: { changes: readonly LineChange[] }): ReactNode {
  return (
    <ul aria-label="Changes" className="divide-y divide-line">
      {changes.map((change) => (
        <li
          key={`${change.lineId} ${change.reason}`}
          className="flex items-baseline justify-between gap-4 py-2.5"
        >
          <span className="min-w-0">{change.message}</span>
          <Prices {...change} />
        </li>
      ))}
    </ul>
  );
}

function Prices({ before, after }: LineChange): ReactNode {
  if (!before || !after || before.currencyAmount === after.currencyAmount) return null;
  return (
    <span aria-hidden="true" className="num shrink-0">
      <s className="text-ink-2">{formatMoney(before)}</s> {formatMoney(after)}
    </span>
  );
}
