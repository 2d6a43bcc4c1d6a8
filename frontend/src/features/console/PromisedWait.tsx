import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Stepper } from "@/ui/Stepper";
import { type StaffSession, scheduleQuery } from "./queries";
import { getBaristasToday, MAX_BARISTAS } from "./staffing";
import { useBaristas } from "./use-baristas";

/** The wait that new orders are promised, and the number of baristas, which determines it. Hidden while the store takes no orders. */
export function PromisedWait({ session }: { session: StaffSession }): ReactNode {
  const { storeId, openState, waitMinutes } = session;
  const { data: schedule } = useQuery(scheduleQuery(storeId));
  const today = schedule && getBaristasToday(schedule);
  const [baristas, setBaristas] = useBaristas(storeId, today ?? 1, schedule?.today);
  if (openState !== "open") return null;
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p aria-live="polite" className="num">
        New orders promised in <b className="t-strong">{waitMinutes} min</b>
      </p>
      {schedule && (
        <div className="flex items-center gap-3">
          <span aria-hidden="true" className="t-small text-ink-2">
            Baristas today
          </span>
          <Stepper
            label="Baristas on shift today"
            value={baristas}
            min={1}
            max={MAX_BARISTAS}
            onChange={setBaristas}
          />
        </div>
      )}
    </div>
  );
}
