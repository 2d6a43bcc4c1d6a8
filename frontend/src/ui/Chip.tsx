import { type ReactNode, useId } from "react";

export interface ChipOption<Value extends string> {
  value: Value;
  label: ReactNode;
  /** Small text after the label: "+$0.80". */
  detail?: ReactNode;
  /** A color of the drawing, for example of the milk. */
  swatch?: string | undefined;
  /** Readable, but not selectable: sold out. */
  disabled?: boolean;
}

interface ChipsProps<Value extends string> {
  label: string;
  options: readonly ChipOption<Value>[];
  value: Value | null;
  onChange: (value: Value) => void;
}

/** A radio group of pills. For counts use Stepper, for switches between views SegmentedControl. */
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
        <label key={option.value} className={chipClasses(value === option.value, option.disabled)}>
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={value === option.value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          {option.swatch && <Swatch color={option.swatch} />}
          {option.label}
          {option.detail && <span className="t-small text-ink-2">{option.detail}</span>}
        </label>
      ))}
    </div>
  );
}

interface ChipToggleProps {
  on: boolean;
  onChange: (on: boolean) => void;
  /** Small text after the label. */
  detail?: ReactNode;
  swatch?: string | undefined;
  /** Readable, but not selectable: sold out, or over the limit. */
  disabled?: boolean;
  children: ReactNode;
}

/** A toggle in the form of a pill. */
export function ChipToggle({
  on,
  onChange,
  detail,
  swatch,
  disabled = false,
  children,
}: ChipToggleProps): ReactNode {
  return (
    <button
      type="button"
      aria-pressed={on}
      // Not `disabled`, because a disabled button loses the focus.
      aria-disabled={disabled || undefined}
      onClick={() => !disabled && onChange(!on)}
      className={chipClasses(on, disabled)}
    >
      {swatch && <Swatch color={swatch} />}
      {children}
      {detail && <span className="t-small text-ink-2">{detail}</span>}
    </button>
  );
}

/** A color of the drawing as a dot. */
export function Swatch({ color }: { color: string }): ReactNode {
  return (
    <span
      aria-hidden="true"
      className="size-4 shrink-0 rounded-full shadow-[inset_0_0_0_1px_rgb(74_46_26/0.18)]"
      style={{ background: color }}
    />
  );
}

function chipClasses(on: boolean, disabled: boolean | undefined): string {
  const colors = on
    ? "bg-accent-soft edge-chosen font-semibold"
    : disabled
      ? "edge-hair text-ink-3"
      : "bg-surface edge-hair";
  return `inline-flex min-h-target items-center gap-2 rounded-pill px-3.5 py-1 font-medium ${disabled ? "" : "cursor-pointer"} has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2 ${colors}`;
}
