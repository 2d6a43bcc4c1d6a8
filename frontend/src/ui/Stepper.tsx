import { Minus, Plus } from "lucide-react";
import type { ReactNode } from "react";

interface StepperProps {
  /** What is counted: "Vanilla pumps". */
  label: string;
  value: number;
  onChange: (value: number) => void;
  min?: number;
  max?: number;
}

/** Counts up and down in a quiet pill; the number is spoken as it changes. */
export function Stepper({ label, value, onChange, min = 0, max = 20 }: StepperProps): ReactNode {
  return (
    <fieldset className="inline-flex h-target shrink-0 items-center rounded-pill bg-accent-soft text-accent">
      <legend className="sr-only">{label}</legend>
      <Step icon={Minus} name={`One less: ${label}`} off={value <= min} onPress={() => onChange(value - 1)} />
      <output className="t-strong num min-w-6 text-center text-ink">{value}</output>
      <Step icon={Plus} name={`One more: ${label}`} off={value >= max} onPress={() => onChange(value + 1)} />
    </fieldset>
  );
}

interface StepProps {
  icon: typeof Plus;
  name: string;
  off: boolean;
  onPress: () => void;
}

function Step({ icon: Icon, name, off, onPress }: StepProps): ReactNode {
  return (
    <button
      type="button"
      aria-label={name}
      // Not `disabled`: at the end of its range the button would drop the focus.
      aria-disabled={off || undefined}
      onClick={() => !off && onPress()}
      className={`grid size-target place-items-center rounded-full ${off ? "opacity-35" : ""}`}
    >
      <Icon aria-hidden="true" size={20} strokeWidth={2} />
    </button>
  );
}
