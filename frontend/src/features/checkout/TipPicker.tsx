import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { calculatePercentage, cents, formatMoney, parseCents } from "@/lib/money";
import { TextInput } from "@/ui/Field";
import type { CartOptions } from "./queries";

interface TipPickerProps {
  /** Suggested percentages, and the limit of any tip in cents: this or the subtotal, whichever is greater. */
  options: CartOptions["tip"];
  /** In cents. Percentages refer to it. */
  subtotal: number;
  /** In cents. */
  value: number;
  onChange: (tip: number) => void;
  /** Called when the typed amount becomes invalid or valid. */
  onValidity: (isValid: boolean) => void;
  /** The field of the amount. */
  field: RefObject<HTMLInputElement | null>;
}

/** Selects a tip: none, a percentage of the order, or an amount. */
export function TipPicker(props: TipPickerProps): ReactNode {
  const { options, subtotal, value, onChange, onValidity, field } = props;
  const percentage = options.percents.find((percent) => calculatePercentage(subtotal, percent) === value);
  const [other, setOther] = useState(percentage === undefined);
  const name = useId();
  // A percentage is kept when the subtotal changes.
  const selected = useRef(percentage);
  useEffect(() => {
    if (other || percentage !== undefined) selected.current = other ? undefined : percentage;
    else if (selected.current !== undefined) onChange(calculatePercentage(subtotal, selected.current));
  }, [other, percentage, subtotal, onChange]);
  return (
    <section className="pt-4.5">
      <div className="mb-2.5 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="t-heading">Add a tip</h2>
        <span className="t-small text-ink-2">100% goes to the baristas</span>
      </div>
      <div role="radiogroup" aria-label="Tip" className="large-text:grid-cols-2 grid grid-cols-5 gap-1.5">
        {options.percents.map((percent) => (
          <Choice
            key={percent}
            name={name}
            on={!other && percentage === percent}
            onPick={() => {
              setOther(false);
              onChange(calculatePercentage(subtotal, percent));
            }}
            label={percent === 0 ? "No tip" : `${percent}%`}
            detail={percent === 0 ? undefined : formatMoney(cents(calculatePercentage(subtotal, percent)))}
          />
        ))}
        <Choice name={name} on={other} onPick={() => setOther(true)} label="Other" />
      </div>
      {other && (
        <CustomTip
          max={Math.max(subtotal, options.maxAmount)}
          value={value}
          onChange={onChange}
          onValidity={onValidity}
          field={field}
        />
      )}
    </section>
  );
}

interface ChoiceProps {
  name: string;
  on: boolean;
  onPick: () => void;
  label: string;
  detail?: string | undefined;
}

function Choice({ name, on, onPick, label, detail }: ChoiceProps): ReactNode {
  return (
    <label
      className={`num relative grid min-h-13 cursor-pointer content-center justify-items-center rounded-pill px-1 has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2 ${on ? "bg-accent-soft edge-chosen" : "bg-surface edge-hair"}`}
    >
      <input type="radio" name={name} className="sr-only" checked={on} onChange={onPick} />
      <span className={on ? "t-small-strong" : "t-small font-medium"}>{label}</span>
      {detail && <span className="t-tag font-normal text-ink-2">{detail}</span>}
    </label>
  );
}

interface CustomTipProps extends Pick<TipPickerProps, "value" | "onChange" | "onValidity" | "field"> {
  max: number;
}

function CustomTip({ max, value, onChange, onValidity, field }: CustomTipProps): ReactNode {
  const [text, setText] = useState(value === 0 ? "" : formatMoney(cents(value)).slice(1));
  const amount = text.trim() === "" ? 0 : parseCents(text);
  const error =
    amount === null
      ? "Enter an amount, like 2.50."
      : amount > max
        ? `The most you can tip is ${formatMoney(cents(max))}.`
        : undefined;
  const isValid = error === undefined;
  useEffect(() => {
    onValidity(isValid);
    return () => onValidity(true);
  }, [isValid, onValidity]);
  return (
    <div className="pt-3">
      <TextInput
        ref={field}
        label="Tip amount"
        prefix="$"
        inputMode="decimal"
        value={text}
        error={error}
        onChange={({ target }) => {
          setText(target.value);
          const typed = target.value.trim() === "" ? 0 : parseCents(target.value);
          if (typed !== null && typed <= max) onChange(typed);
        }}
      />
    </div>
  );
}
