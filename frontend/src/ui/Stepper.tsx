import Minus from "lucide-react/icons/minus";
import Plus from "lucide-react/icons/plus";
import { type ReactNode, type Ref, useRef } from "react";

interface StepperProps {
  /** What is counted: "Vanilla pumps". */
  label: string;
  value: number;
  onChange: (value: number) => void;
  min?: number;
  max?: number;
  /** At 0 only the plus is there: for long lists of what may be added. */
  folds?: boolean;
  /** As high as the main button it stands beside. */
  big?: boolean;
}

/** Counts up and down in a quiet pill; the number is spoken as it changes. */
export function Stepper({
  label,
  value,
  onChange,
  min = 0,
  max = 20,
  folds = false,
  big = false,
}: StepperProps): ReactNode {
  const plus = useRef<HTMLButtonElement>(null);
  const folded = folds && value === 0;
  const less = () => {
    // The minus goes away with the last one: the keyboard stays in the pill.
    if (folds && value === 1) plus.current?.focus();
    onChange(value - 1);
  };
  return (
    <fieldset
      className={`inline-flex ${big ? "h-bar" : "h-target"} shrink-0 items-center rounded-pill bg-accent-soft text-accent`}
    >
      <legend className="sr-only">{label}</legend>
      {!folded && <Step icon={Minus} name={`Remove one: ${label}`} off={value <= min} onPress={less} />}
      <output className={folded ? "sr-only" : "t-strong num min-w-6 text-center text-ink"}>{value}</output>
      <Step
        ref={plus}
        icon={Plus}
        name={`Add one: ${label}`}
        off={value >= max}
        onPress={() => onChange(value + 1)}
      />
    </fieldset>
  );
}

interface StepProps {
  icon: typeof Plus;
  name: string;
  off: boolean;
  onPress: () => void;
  ref?: Ref<HTMLButtonElement>;
}

function Step({ icon: Icon, name, off, onPress, ref }: StepProps): ReactNode {
  return (
    <button
      ref={ref}
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
