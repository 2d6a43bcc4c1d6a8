import { type ReactNode, type RefObject, useEffect, useId, useState } from "react";
import { calculatePercentage, cents, formatMoney, parseCents } from "@/lib/money";
import { TextInput } from "@/ui/Field";
import type { CartOptions } from "./queries";
import { useTipChoice } from "./use-tip-choice";

interface TipPickerProps {
  /** Suggested percentages, and the limit of any tip in cents: this or the subtotal, whichever is greater. */
  options: CartOptions["tip"];
  /** In cents. Percentages refer to it. */
  subtotal: number;
  /** Whether the server calculated the subtotal for this cart. Only then a percentage is recalculated. */
  isFinal: boolean;
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
  const { options, subtotal, value, onValidity, field } = props;
  const { percent: selected, ...choice } = useTipChoice({ ...props, percents: options.percents });
  const name = useId();
  return (
    <section className="pt-4.5">
      <div className="mb-2.5 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="t-heading">Add a tip</h2>
        <span className="t-small text-ink-2">100% goes to the baristas</span>
      </div>
      <div
        role="radiogroup"
        aria-label="Tip"
        className="large-text:grid-cols-2 grid grid-cols-[1.3fr_repeat(4,1fr)] gap-1.5"
      >
        {options.percents.map((percent) => (
          <Choice
            key={percent}
            name={name}
            on={percent === selected}
            onPick={() => choice.choosePercent(percent)}
            label={percent === 0 ? "No tip" : `${percent}%`}
            detail={percent === 0 ? undefined : formatMoney(cents(calculatePercentage(subtotal, percent)))}
          />
        ))}
        <Choice name={name} on={selected === undefined} onPick={choice.chooseOther} label="Other" />
      </div>
      {selected === undefined && (
        <CustomTip
          max={Math.max(subtotal, options.maxAmount)}
          value={value}
          onChange={choice.changeAmount}
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
      className={`num relative grid min-h-13 cursor-pointer content-center justify-items-center rounded-pill px-1 py-1.5 has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2 ${on ? "bg-accent-soft edge-chosen" : "bg-surface edge-hair"}`}
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
  const [text, setText] = useState(() => formatAmount(value));
  const [shown, setShown] = useState(value);
  const amount = parseAmount(text);
  if (shown !== value) {
    setShown(value);
    // Another tab changed the tip.
    if (amount !== value) setText(formatAmount(value));
  }
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
  // A larger subtotal permits a larger tip.
  const permitted = isValid && shown === value && amount !== value ? amount : null;
  useEffect(() => {
    if (permitted !== null) onChange(permitted);
  });
  return (
    <div className="pt-3">
      <TextInput
        ref={field}
        label="Tip amount"
        prefix="$"
        inputMode="decimal"
        value={text}
        error={error}
        onChange={({ target }) => setText(target.value)}
      />
    </div>
  );
}

const formatAmount = (tip: number): string => (tip === 0 ? "" : formatMoney(cents(tip)).slice(1));

const parseAmount = (text: string): number | null => (text.trim() === "" ? 0 : parseCents(text));
