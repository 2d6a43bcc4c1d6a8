import type { ReactNode } from "react";
import { Stepper } from "@/ui/Stepper";
import type { Schedule } from "./queries";
import { getBaristasToday, MAX_BARISTAS } from "./staffing";
import { useBaristas } from "./use-baristas";

const SLOTS_PER_HOUR = 12;

interface BaristasProps {
  storeId: string;
  schedule: Schedule;
}

/** How many baristas are on shift: today, and by default. It determines how many drinks the store promises at a time. */
export function Baristas({ storeId, schedule }: BaristasProps): ReactNode {
  const { today, defaultBaristas, drinksPerBaristaHour } = schedule;
  const [baristas, setBaristas] = useBaristas(storeId, getBaristasToday(schedule), today);
  const [usual, setUsual] = useBaristas(storeId, defaultBaristas);
  const drinks = Math.floor((baristas * drinksPerBaristaHour) / SLOTS_PER_HOUR);
  return (
    <section aria-labelledby="console-baristas" className="console-group">
      <h3 id="console-baristas" className="t-heading">
        Baristas
      </h3>
      <BaristaRow
        label="On shift today"
        hint={`About ${drinks} ${drinks === 1 ? "drink" : "drinks"} every five minutes`}
        value={baristas}
        onChange={setBaristas}
      />
      <BaristaRow
        label="Usually"
        hint="On days without a number of their own"
        value={usual}
        onChange={setUsual}
      />
      <p className="t-small text-ink-2">Orders that are already promised keep their time.</p>
    </section>
  );
}

interface BaristaRowProps {
  label: string;
  hint: string;
  value: number;
  onChange: (value: number) => void;
}

function BaristaRow({ label, hint, value, onChange }: BaristaRowProps): ReactNode {
  return (
    <div className="flex items-center justify-between gap-4 py-3">
      <span className="min-w-0">
        <span className="t-strong block">{label}</span>
        <span className="t-small num block text-ink-2">{hint}</span>
      </span>
      <Stepper
        label={`Baristas ${label.toLowerCase()}`}
        value={value}
        min={1}
        max={MAX_BARISTAS}
        onChange={onChange}
      />
    </div>
  );
}
