import { useQuery } from "@tanstack/react-query";
import CircleCheck from "lucide-react/icons/circle-check";
import type { ReactNode } from "react";
import { storeStatusQuery } from "./queries";

/** How often the store was ready on time in the last 30 days. Nothing for a store with few orders. */
export function PromiseRecord({ storeId }: { storeId: string }): ReactNode {
  const { data } = useQuery(storeStatusQuery(storeId));
  if (!data?.promiseRecord) return null;
  const { keptPercent, orders } = data.promiseRecord;
  return (
    <p className="t-small num mt-1 flex items-center gap-1.5 text-ink-2">
      <CircleCheck aria-hidden="true" size={16} strokeWidth={2} className="shrink-0 text-success" />
      Ready on time {keptPercent}% of the time
      <span className="sr-only">, {orders} orders in 30 days</span>
    </p>
  );
}
