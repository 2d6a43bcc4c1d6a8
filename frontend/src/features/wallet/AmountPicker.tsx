import { type ReactNode, useId } from "react";
import { cents, formatMoney } from "@/lib/money";
import { TextInput } from "@/ui/Field";

interface AmountPickerProps {
  /** Cents. */
  presets: readonly number[];
  /** A preset as text, or "other". */
  choice: string;
  other: string;
  onChange: (choice: string, other: string) => void;
  error: string | undefined;
}

/** Suggested amounts, or one that the consumer types. */
export function AmountPicker({ presets, choice, other, onChange, error }: AmountPickerProps): ReactNode {
  const name = useId();
  const isOther = choice === "other";
  return (
    <section>
      <h2 className="t-heading mb-2.5">Amount</h2>
      <div
        role="radiogroup"
        aria-label="Amount"
        className="grid grid-cols-[repeat(auto-fit,minmax(5.25rem,1fr))] gap-2"
      >
        {presets.map((preset) => (
          <Choice
            key={preset}
            name={name}
            checked={choice === String(preset)}
            onChange={() => onChange(String(preset), other)}
            label={formatMoney(cents(preset), { bare: true })}
          />
        ))}
        <Choice name={name} checked={isOther} onChange={() => onChange("other", other)} label="Other" />
      </div>
      {isOther ? (
        <div className="pt-3">
          <TextInput
            label="Other amount"
            inputMode="decimal"
            autoComplete="off"
            prefix="$"
            value={other}
            error={error}
            onChange={(event) => onChange("other", event.target.value)}
          />
        </div>
      ) : (
        <p role="alert" className="t-small mt-2 text-danger">
          {error}
        </p>
      )}
    </section>
  );
}

interface ChoiceProps {
  name: string;
  checked: boolean;
  onChange: () => void;
  label: string;
}

function Choice({ name, checked, onChange, label }: ChoiceProps): ReactNode {
  return (
    <label
      className={`num grid min-h-bar cursor-pointer place-items-center rounded-choice px-2 font-display text-[1.25rem] has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2 ${checked ? "edge-chosen bg-accent-soft" : "edge-hair bg-surface"}`}
    >
      <input type="radio" name={name} checked={checked} onChange={onChange} className="sr-only" />
      {label}
    </label>
  );
}
