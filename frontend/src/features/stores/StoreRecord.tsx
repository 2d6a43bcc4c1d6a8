import { useQuery } from "@tanstack/react-query";
import CircleCheck from "lucide-react/icons/circle-check";
import type { ReactNode } from "react";
import { formatAverage, Stars } from "@/ui/Stars";
import { storeStatusQuery } from "./queries";

/** How consumers rate the store, and how often it was ready on time in the last 30 days. Hidden for few ratings and orders. */
export function StoreRecord({ storeId }: { storeId: string }): ReactNode {
  const { data } = useQuery(storeStatusQuery(storeId));
  if (!data) return null;
  const { promiseRecord, rating } = data;
  return (
    <>
      {rating && (
        <p className="t-small num mt-1 flex flex-wrap items-center gap-x-1.5 text-ink-2">
          <Stars tenths={rating.averageTenths} />
          <span aria-hidden="true">{formatAverage(rating.averageTenths)}</span>
          <span>
            ({rating.ratings}
            <span className="sr-only"> ratings in 30 days</span>)
          </span>
        </p>
      )}
      {promiseRecord && (
        <p className="t-small num mt-1 flex items-center gap-1.5 text-ink-2">
          <CircleCheck aria-hidden="true" size={16} strokeWidth={2} className="shrink-0 text-success" />
          Ready on time {promiseRecord.keptPercent}% of the time
          <span className="sr-only">, {promiseRecord.orders} orders in 30 days</span>
        </p>
      )}
    </>
  );
}
