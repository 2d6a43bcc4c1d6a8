import { type ReactNode, useState } from "react";
import { formatTimeOfDay } from "@/lib/time";
import { Button } from "@/ui/Button";
import { SegmentedControl } from "@/ui/SegmentedControl";
import { Sheet } from "@/ui/Sheet";
import { type PauseRequest, useSetPause } from "./mutations";
import type { StaffSession } from "./queries";

type Reason = NonNullable<PauseRequest["reason"]>;

const REASONS: readonly { value: Reason; label: string }[] = [
  { value: "busy", label: "Too many orders" },
  { value: "equipment", label: "A machine is out of order" },
  { value: "staffing", label: "Not enough baristas" },
  { value: "supplies", label: "Restocking" },
  { value: "other", label: "Another reason" },
];

const ENDS = [
  { value: "15", label: "15 min" },
  { value: "30", label: "30 min" },
  { value: "60", label: "1 hour" },
] as const;
type End = (typeof ENDS)[number]["value"] | "open";

interface PauseSheetProps {
  session: StaffSession;
  now: Date;
  open: boolean;
  onClose: () => void;
}

/** Asks why and until when the store pauses. Ordering resumes automatically at the end. */
export function PauseSheet({ session, now, open, onClose }: PauseSheetProps): ReactNode {
  const setPause = useSetPause(session.storeId);
  const [end, setEnd] = useState<End>("15");
  const until = end === "open" ? undefined : addMinutes(now, Number(end));
  const pause = (reason: Reason) =>
    setPause.mutate({ reason, ...(until ? { until } : {}) }, { onSettled: onClose });
  return (
    <Sheet
      title="Pause new orders"
      description={
        until
          ? `Guests can order again at ${formatTimeOfDay(until, session.timeZone)}. Orders on the board stay.`
          : "Guests can order again when you resume. Orders on the board stay."
      }
      open={open}
      onClose={onClose}
      action={
        <div className="grid">
          <Button variant="link" onClick={onClose}>
            Keep taking orders
          </Button>
        </div>
      }
    >
      <SegmentedControl
        label="For how long?"
        options={[...ENDS, { value: "open", label: "No end" }]}
        value={end}
        onChange={setEnd}
      />
      <h3 className="t-small-strong mt-5 mb-2">Why? Guests will see this.</h3>
      <ul className="grid gap-2">
        {REASONS.map(({ value, label }) => (
          <li key={value} className="grid">
            <Button variant="line" busy={setPause.isPending} onClick={() => pause(value)}>
              {label}
            </Button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

/** Returns a whole minute. */
function addMinutes(now: Date, minutes: number): string {
  return new Date(Math.ceil(now.getTime() / 60_000) * 60_000 + minutes * 60_000).toISOString();
}
