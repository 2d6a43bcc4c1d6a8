import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { errorMessage } from "@/api/errors";
import { SkeletonRows } from "@/ui/Skeleton";
import { formatRating, formatWait } from "./figures";
import { LoadBar } from "./LoadBar";
import { summaryQuery } from "./queries";

interface TodayPageProps {
  storeId: string;
  timeZone: string;
}

/** What the store made today. Without amounts. */
export function TodayPage({ storeId, timeZone }: TodayPageProps): ReactNode {
  const { data: summary, error } = useQuery(summaryQuery(storeId));
  return (
    <main className="console-page">
      <h2 className="t-display">Today</h2>
      {error && !summary && <p className="py-4 text-danger">{errorMessage(error)}</p>}
      {!summary && !error && <SkeletonRows count={4} />}
      {summary && (
        <>
          <dl className="console-figures">
            <Figure label="Orders made" value={String(summary.made)} />
            <Figure
              label="On time"
              value={summary.keptPercent === null ? "–" : `${summary.keptPercent}%`}
              hint={summary.made > 0 ? `${summary.kept} of ${summary.made}` : undefined}
            />
            <Figure label="Average wait" value={formatWait(summary.averageWaitSeconds)} />
            <Figure label="Items made" value={String(summary.itemsSold)} />
            <Figure
              label="Stars"
              value={formatRating(summary.averageRatingTenths)}
              hint={summary.ratings > 0 ? formatRatings(summary.ratings) : undefined}
            />
            <Figure label="On the board" value={String(summary.waiting)} />
            <Figure label="Later today" value={String(summary.scheduled)} />
            <Figure label="Rejected or canceled" value={String(summary.rejected + summary.cancelled)} />
          </dl>
          <div className="console-columns console-halves">
            <section aria-labelledby="console-load" className="console-group">
              <h3 id="console-load" className="t-heading">
                Bar load, next hour
              </h3>
              <LoadBar storeId={storeId} timeZone={timeZone} />
            </section>
            <section aria-labelledby="console-items" className="console-group">
              <h3 id="console-items" className="t-heading">
                What you made
              </h3>
              {summary.items.length === 0 && <p className="t-small mt-1 text-ink-2">Nothing yet today.</p>}
              <ul className="divide-y divide-line">
                {summary.items.map(({ itemId, name, quantity }) => (
                  <li key={itemId} className="flex justify-between gap-4 py-2">
                    <span>{name}</span>
                    <b className="num">{quantity}</b>
                  </li>
                ))}
              </ul>
            </section>
          </div>
        </>
      )}
    </main>
  );
}

const formatRatings = (count: number) => (count === 1 ? "1 rating" : `${count} ratings`);

interface FigureProps {
  label: string;
  value: string;
  hint?: string | undefined;
}

function Figure({ label, value, hint }: FigureProps): ReactNode {
  return (
    <div className="console-figure">
      <dt className="t-small text-ink-2">{label}</dt>
      <dd>
        <b className="console-promise num">{value}</b>
        {hint && <span className="t-small num block text-ink-2">{hint}</span>}
      </dd>
    </div>
  );
}
