import type { LucideIcon } from "lucide-react/types";
import { type ReactNode, useId } from "react";

interface SegmentedControlProps<Value extends string> {
  label: string;
  options: readonly { value: Value; label: string; icon?: LucideIcon }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** A switch between two or three options: "At the counter", "Curbside". */
export function SegmentedControl<Value extends string>({
  label,
  options,
  value,
  onChange,
}: SegmentedControlProps<Value>): ReactNode {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="large-text:grid-flow-row large-text:rounded-card grid auto-cols-fr grid-flow-col rounded-pill bg-sunk p-1"
    >
      {options.map(({ value: option, label: text, icon: Icon }) => (
        <label
          key={option}
          className={`t-small-strong flex min-h-target cursor-pointer items-center justify-center gap-1.5 rounded-pill px-2 text-center has-focus-visible:outline-2 has-focus-visible:outline-accent ${
            option === value ? "bg-raised text-accent shadow-raised" : "text-ink-2"
          }`}
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={option === value}
            onChange={() => onChange(option)}
          />
          {Icon && <Icon aria-hidden="true" size={20} strokeWidth={1.75} />}
          {text}
        </label>
      ))}
    </div>
  );
}
