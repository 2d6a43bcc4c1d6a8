import Minus from "lucide-react/icons/minus";
import Plus from "lucide-react/icons/plus";
import { type ReactNode, type Ref, useRef } from "react";

interface StepperProps {
  /** The counted item: "Vanilla". */
  label: string;
  value: number;
  onChange: (value: number) => void;
  min?: number;
  max?: number;
  /** Shows only the plus at 0, for long lists. */
  collapsible?: boolean;
  /** The height of the main button beside it. */
  big?: boolean;
}

/** Counts up and down. Screen readers announce the number when it changes. */
export function Stepper({
  label,
  value,
  onChange,
  min = 0,
  max = 20,
  collapsible = false,
  big = false,
}: StepperProps): ReactNode {
  const plus = useRef<HTMLButtonElement>(null);
  const collapsed = collapsible && value === 0;
  const decrease = () => {
    // The minus disappears at 0, so the plus takes the focus.
    if (collapsible && value === 1) plus.current?.focus();
    onChange(value - 1);
  };
  return (
    <fieldset
      className={`inline-flex ${big ? "h-bar" : "h-target"} shrink-0 items-center rounded-pill bg-accent-soft text-accent`}
    >
      <legend className="sr-only">{label}</legend>
      {!collapsed && (
        <Step icon={Minus} name={`Remove one: ${label}`} disabled={value <= min} onPress={decrease} />
      )}
      <output className={collapsed ? "sr-only" : "t-strong num min-w-6 text-center text-ink"}>{value}</output>
      <Step
        ref={plus}
        icon={Plus}
        name={`Add one: ${label}`}
        disabled={value >= max}
        onPress={() => onChange(value + 1)}
      />
    </fieldset>
  );
}

interface StepProps {
  icon: typeof Plus;
  name: string;
  disabled: boolean;
  onPress: () => void;
  ref?: Ref<HTMLButtonElement>;
}

function Step({ icon: Icon, name, disabled, onPress, ref }: StepProps): ReactNode {
  return (
    <button
      ref={ref}
      type="button"
      aria-label={name}
      // Not `disabled`, because a disabled button loses the focus.
      aria-disabled={disabled || undefined}
      onClick={() => !disabled && onPress()}
      className={`grid size-target place-items-center rounded-full ${disabled ? "opacity-35" : ""}`}
    >
      <Icon aria-hidden="true" size={20} strokeWidth={2} />
    </button>
  );
}
