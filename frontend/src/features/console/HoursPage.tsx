import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { LoadError } from "@/shell/LoadError";
import { SkeletonRows } from "@/ui/Skeleton";
import { Baristas } from "./Baristas";
import { scheduledOrdersQuery, scheduleQuery } from "./queries";
import { ScheduledOrderList } from "./ScheduledOrderList";
import { SpecialDays } from "./SpecialDays";
import { WeekHours } from "./WeekHours";

/** Baristas, opening hours, holidays, and scheduled orders. */
export function HoursPage({ storeId }: { storeId: string }): ReactNode {
  const { data: schedule, error, refetch } = useQuery(scheduleQuery(storeId));
  const { data: scheduled } = useQuery(scheduledOrdersQuery(storeId));
  return (
    <main className="console-page">
      <h2 className="t-display">Hours and baristas</h2>
      {error && !schedule && <LoadError error={error} onRetry={refetch} />}
      {!schedule && !error && <SkeletonRows count={6} />}
      {schedule && (
        <div className="console-columns console-halves mt-4">
          {scheduled && <ScheduledOrderList storeId={storeId} orders={scheduled.orders} />}
          <Baristas storeId={storeId} schedule={schedule} />
          <SpecialDays storeId={storeId} schedule={schedule} />
          <WeekHours storeId={storeId} schedule={schedule} />
        </div>
      )}
    </main>
  );
}
