import { type ReactNode, useId } from "react";

export interface ChipOption<Value extends string> {
  value: Value;
  label: ReactNode;
  /** In small words behind the label: "+ $0.80". */
  detail?: ReactNode;
  /** A colour of the drawing, e.g. the milk's. */
  swatch?: string;
  /** Sold out: readable, not choosable. */
  disabled?: boolean;
}

interface ChipsProps<Value extends string> {
  label: string;
  options: readonly ChipOption<Value>[];
  value: Value | null;
  onChange: (value: Value) => void;
}

/** One of a few, as pills that wrap. For choices with limits use a Stepper, for switches between views Segmented. */
export function Chips<Value extends string>({
  label,
  options,
  value,
  onChange,
}: ChipsProps<Value>): ReactNode {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className="flex flex-wrap gap-2">
      {options.map((option) => (
        <label key={option.value} className={chip(value === option.value, option.disabled)}>
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={value === option.value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          {option.swatch && (
            <span
              aria-hidden="true"
              className="size-4 rounded-full shadow-[inset_0_0_0_1px_rgb(74_46_26/0.18)]"
              style={{ background: option.swatch }}
            />
          )}
          {option.label}
          {option.detail && <span className="t-small text-ink-2">{option.detail}</span>}
        </label>
      ))}
    </div>
  );
}

/** One pill that is on or off: a filter. */
export function ChipToggle({
  on,
  onChange,
  children,
}: {
  on: boolean;
  onChange: (on: boolean) => void;
  children: ReactNode;
}): ReactNode {
  return (
    <button type="button" aria-pressed={on} onClick={() => onChange(!on)} className={chip(on, false)}>
      {children}
    </button>
  );
}

function chip(on: boolean, off: boolean | undefined): string {
  const looks = on
    ? "bg-accent-soft edge-chosen font-semibold"
    : off
      ? "edge-hair text-ink-3"
      : "bg-surface edge-hair";
  return `inline-flex min-h-target items-center gap-2 rounded-pill px-3.5 py-1 font-medium ${off ? "" : "cursor-pointer"} has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2 ${looks}`;
}
