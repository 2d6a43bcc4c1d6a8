import X from "lucide-react/icons/x";
import { type ReactNode, useState } from "react";
import { limits } from "@/api/limits.gen";
import { formatCalendarDay, formatSpans } from "@/lib/opening-hours";
import { Button } from "@/ui/Button";
import { TextInput } from "@/ui/Field";
import { IconButton } from "@/ui/IconButton";
import { toast } from "@/ui/toast";
import { parseSpans, type SpanInput } from "./hours";
import { useDeleteSpecialDay, useSetSpecialDay } from "./mutations";
import type { Schedule } from "./queries";
import { SpanFields } from "./SpanFields";

interface SpecialDaysProps {
  storeId: string;
  schedule: Schedule;
}

/** Holidays and other days with hours of their own. */
export function SpecialDays({ storeId, schedule }: SpecialDaysProps): ReactNode {
  const deleteSpecialDay = useDeleteSpecialDay(storeId);
  return (
    <section aria-labelledby="console-special" className="console-group">
      <h3 id="console-special" className="t-heading">
        Holidays and special days
      </h3>
      {schedule.specialDays.length === 0 && <p className="t-small mt-1 text-ink-2">None yet.</p>}
      <ul className="divide-y divide-line">
        {schedule.specialDays.map(({ day, name, openings }) => (
          <li key={day} className="flex items-center justify-between gap-3 py-2">
            <span className="min-w-0">
              <span className="t-strong block">
                {formatCalendarDay(day)}
                {name && `, ${name}`}
              </span>
              <span className="t-small num block text-ink-2">{formatSpans(openings)}</span>
            </span>
            <IconButton
              icon={X}
              label={`Usual hours on ${formatCalendarDay(day)}`}
              onClick={() => deleteSpecialDay.mutate(day)}
            />
          </li>
        ))}
      </ul>
      <AddSpecialDay storeId={storeId} today={schedule.today} />
    </section>
  );
}

function AddSpecialDay({ storeId, today }: { storeId: string; today: string }): ReactNode {
  const setSpecialDay = useSetSpecialDay(storeId);
  const [day, setDay] = useState("");
  const [name, setName] = useState("");
  const [spans, setSpans] = useState<SpanInput[]>([]);
  const openings = parseSpans(spans);
  const save = () => {
    if (!openings) return;
    setSpecialDay.mutate(
      { day, name, openings },
      {
        onSuccess: ({ scheduled }) => {
          setDay("");
          setName("");
          setSpans([]);
          toast(formatSaved(scheduled?.orders.filter(({ isOutsideHours }) => isOutsideHours).length));
        },
      },
    );
  };
  return (
    <form
      aria-label="Add a special day"
      className="mt-3 grid gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextInput
        label="Day"
        type="date"
        min={today}
        required
        value={day}
        onChange={(event) => setDay(event.target.value)}
      />
      <TextInput
        label="Name (optional)"
        maxLength={limits.specialDayNameLength}
        placeholder="Thanksgiving"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <SpanFields label="Special day" spans={spans} onChange={setSpans} />
      <p aria-live="polite" className="t-small min-h-5 text-danger">
        {!openings && "Enter all times. Hours can't overlap."}
      </p>
      <Button variant="soft" type="submit" busy={setSpecialDay.isPending} disabled={!day || !openings}>
        {spans.length === 0 ? "Close on this day" : "Save these hours"}
      </Button>
    </form>
  );
}

/** @param affected Number of scheduled orders outside the new hours. Undefined: unknown. */
function formatSaved(affected: number | undefined): string {
  if (affected === undefined) return "Special day saved. We couldn't check the scheduled orders.";
  return affected > 0 ? formatAffected(affected) : "Special day saved";
}

function formatAffected(count: number): string {
  return count === 1
    ? "1 scheduled order is outside the new hours. Move or reject it."
    : `${count} scheduled orders are outside the new hours. Move or reject them.`;
}
