import { type ReactNode, useState } from "react";
import { Button } from "@/ui/Button";
import { toast } from "@/ui/toast";
import { parseWeek, type SpanInput, toWeekInput, WEEKDAYS } from "./hours";
import { useSetWeeklyHours } from "./mutations";
import type { Schedule } from "./queries";
import { SpanFields } from "./SpanFields";

interface WeekHoursProps {
  storeId: string;
  schedule: Schedule;
}

/** The regular opening hours. They apply when they are saved. */
export function WeekHours({ storeId, schedule }: WeekHoursProps): ReactNode {
  const setWeeklyHours = useSetWeeklyHours(storeId);
  const [edited, setEdited] = useState<SpanInput[][]>();
  /** Counts the edits that were saved or undone. The fields of another revision are new, so that they show hours in words again. */
  const [revision, setRevision] = useState(0);
  const days = edited ?? toWeekInput(schedule.week);
  const week = parseWeek(days);
  const endEdit = () => {
    setEdited(undefined);
    setRevision((count) => count + 1);
  };
  const save = () => {
    if (!week) return;
    setWeeklyHours.mutate(week, {
      onSuccess: () => {
        endEdit();
        toast("Opening hours saved");
      },
    });
  };
  return (
    <section aria-labelledby="console-week" className="console-group">
      <h3 id="console-week" className="t-heading">
        Opening hours
      </h3>
      <ul className="divide-y divide-line">
        {WEEKDAYS.map((weekday, index) => (
          <li key={weekday} className="console-day">
            <span className="t-strong">{weekday}</span>
            <SpanFields
              key={revision}
              label={weekday}
              spans={days[index] ?? []}
              onChange={(spans) => setEdited(days.map((day, position) => (position === index ? spans : day)))}
            />
          </li>
        ))}
      </ul>
      <p aria-live="polite" className="t-small min-h-5 text-danger">
        {!week && "Enter all times. Hours of one day can't overlap."}
      </p>
      {edited && (
        <div className="mt-2 flex gap-4">
          <Button busy={setWeeklyHours.isPending} disabled={!week} onClick={save}>
            Save hours
          </Button>
          <Button variant="link" onClick={endEdit}>
            Undo
          </Button>
        </div>
      )}
    </section>
  );
}
