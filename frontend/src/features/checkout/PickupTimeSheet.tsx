import { type ReactNode, useMemo, useState } from "react";
import { formatDay, formatDayInSentence, formatTimeOfDay } from "@/lib/time";
import { useModal } from "@/shell/modals";
import { Button } from "@/ui/Button";
import { Chips } from "@/ui/Chip";
import { Sheet } from "@/ui/Sheet";
import { formatSlots } from "./format";

interface PickupTimeSheetProps {
  slots: readonly string[];
  zone: string;
  value: string;
  onChange: (slot: string) => void;
}

/** All available times by day. */
export default function PickupTimeSheet({ slots, zone, value, onChange }: PickupTimeSheetProps): ReactNode {
  const modal = useModal();
  const days = useMemo(() => Map.groupBy(slots, (slot) => formatDay(slot, zone, new Date())), [slots, zone]);
  const names = [...days.keys()];
  const [day, setDay] = useState(
    () => names.find((name) => days.get(name)?.includes(value)) ?? names[0] ?? "",
  );
  const [slot, setSlot] = useState<string | null>(value || null);
  const times = formatSlots(slots, zone);
  const confirm = () => {
    if (slot) onChange(slot);
    modal?.close();
  };
  return (
    <Sheet
      title="Pickup time"
      action={
        <Button big disabled={slot === null} onClick={confirm}>
          {slot
            ? `Pick up ${formatDayInSentence(slot, zone, new Date())} at ${times.get(slot) ?? formatTimeOfDay(slot, zone)}`
            : "Choose a time"}
        </Button>
      }
    >
      <div className="grid gap-5 pt-2">
        <Chips
          label="Day"
          value={day}
          onChange={setDay}
          options={names.map((name) => ({ value: name, label: name }))}
        />
        <Chips
          label="Time"
          value={slot}
          onChange={setSlot}
          options={(days.get(day) ?? []).map((instant) => ({
            value: instant,
            // As wide as "10:45 PM", so that the times are in columns.
            label: <span className="num min-w-18 text-center">{times.get(instant)}</span>,
          }))}
        />
      </div>
    </Sheet>
  );
}
