import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { cents, formatMoney, parseCents, percentOf } from "@/lib/money";
import { TextInput } from "@/ui/Field";

/** Contract, "Numbers where the specification has none": at most the subtotal or 100 dollars, whichever is more. */
const ALWAYS = 10_000;
const PERCENTS = [0, 10, 15, 20] as const;

interface TipPickerProps {
  /** Cents; what percentages are of. */
  subtotal: number;
  /** Cents. */
  value: number;
  onChange: (tip: number) => void;
}

/** What goes to the bar: nothing, a share of the order, or an amount. Each says what it comes to. */
export function TipPicker({ subtotal, value, onChange }: TipPickerProps): ReactNode {
  const share = PERCENTS.find((percent) => percentOf(subtotal, percent) === value);
  const [other, setOther] = useState(share === undefined);
  const name = useId();
  // A share stays a share when the order grows.
  const chosen = useRef(share);
  useEffect(() => {
    if (other || share !== undefined) chosen.current = other ? undefined : share;
    else if (chosen.current !== undefined) onChange(percentOf(subtotal, chosen.current));
  }, [other, share, subtotal, onChange]);
  return (
    <section className="pt-4.5">
      <div className="mb-2.5 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="t-heading">Add a tip</h2>
        <span className="t-small text-ink-2">100% goes to the baristas</span>
      </div>
      <div role="radiogroup" aria-label="Tip" className="large-text:grid-cols-2 grid grid-cols-5 gap-1.5">
        {PERCENTS.map((percent) => (
          <Choice
            key={percent}
            name={name}
            on={!other && share === percent}
            onPick={() => {
              setOther(false);
              onChange(percentOf(subtotal, percent));
            }}
            label={percent === 0 ? "No tip" : `${percent}%`}
            detail={percent === 0 ? undefined : formatMoney(cents(percentOf(subtotal, percent)))}
          />
        ))}
        <Choice name={name} on={other} onPick={() => setOther(true)} label="Other" />
      </div>
      {other && <Amount most={Math.max(subtotal, ALWAYS)} value={value} onChange={onChange} />}
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

function Amount({ most, value, onChange }: { most: number; value: number; onChange: (tip: number) => void }) {
  const [text, setText] = useState(value === 0 ? "" : formatMoney(cents(value)).slice(1));
  const amount = text.trim() === "" ? 0 : parseCents(text);
  const error =
    amount === null
      ? "Enter an amount, like 2.50."
      : amount > most
        ? `The most you can tip is ${formatMoney(cents(most))}.`
        : undefined;
  return (
    <div className="pt-3">
      <TextInput
        label="Tip amount"
        prefix="$"
        inputMode="decimal"
        value={text}
        error={error}
        onChange={({ target }) => {
          setText(target.value);
          const typed = target.value.trim() === "" ? 0 : parseCents(target.value);
          if (typed !== null && typed <= most) onChange(typed);
        }}
      />
    </div>
  );
}
