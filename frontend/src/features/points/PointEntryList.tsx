import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { deviceZone, formatDayInSentence } from "@/lib/time";
import { formatPoints } from "./format";
import type { PointEntry } from "./queries";

/** What changed the points, with the balance after each change. */
export function PointEntryList({ entries }: { entries: readonly PointEntry[] }): ReactNode {
  return (
    <ul aria-label="Points activity" className="divide-y divide-line">
      {entries.map((entry) => (
        <li key={entry.entryId} className="flex items-start justify-between gap-4 py-3.5">
          <span className="min-w-0">
            <b className="t-strong block">
              {entry.title}, {formatDayInSentence(entry.at, deviceZone(), new Date())}
            </b>
            {entry.orderId !== null && (
              <Link
                to="/orders/$orderId"
                params={{ orderId: entry.orderId }}
                className="t-small-strong inline-flex min-h-target items-center text-accent"
              >
                See order<span className="sr-only">: {entry.title}</span>
              </Link>
            )}
          </span>
          <span className="num shrink-0 text-right">
            <b className="t-strong block">{formatPoints(entry.points, { signed: true })}</b>
            <span className="t-small block text-ink-2">{formatPoints(entry.balanceAfter)} left</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
