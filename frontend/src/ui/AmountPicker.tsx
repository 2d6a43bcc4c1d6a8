import { type ReactNode, useState } from "react";
import { cents, formatMoney, parseCents } from "@/lib/money";
import { Chips } from "./Chip";
import { TextInput } from "./Field";

interface AmountPickerProps {
  label: string;
  /** Suggested amounts in cents. */
  presets: readonly number[];
  /** Cents; null until chosen. */
  value: number | null;
  onChange: (amount: number | null) => void;
  /** For the hint of the field. */
  minimum: number;
  maximum: number;
  error?: string | undefined;
}

const OTHER = "other";

/** Chooses one of the suggested amounts, or another amount. */
export function AmountPicker({
  label,
  presets,
  value,
  onChange,
  minimum,
  maximum,
  error,
}: AmountPickerProps): ReactNode {
  const isPreset = value !== null && presets.includes(value);
  const [other, setOther] = useState(value !== null && !isPreset);
  const [text, setText] = useState(() => (value === null || isPreset ? "" : formatPlain(value)));
  const options = presets.map((amount) => ({
    value: String(amount),
    label: formatMoney(cents(amount), { bare: true }),
  }));
  const choose = (chosen: string) => {
    setOther(chosen === OTHER);
    onChange(chosen === OTHER ? parseCents(text) : Number(chosen));
  };
  return (
    <div className="grid gap-3">
      <Chips
        label={label}
        options={[...options, { value: OTHER, label: "Other amount" }]}
        value={other ? OTHER : value === null ? null : String(value)}
        onChange={choose}
      />
      {other ? (
        <TextInput
          label="Other amount"
          prefix="$"
          inputMode="decimal"
          autoComplete="off"
          value={text}
          hint={`From ${formatMoney(cents(minimum), { bare: true })} to ${formatMoney(cents(maximum), { bare: true })}`}
          error={error}
          onChange={(event) => {
            setText(event.target.value);
            onChange(parseCents(event.target.value));
          }}
        />
      ) : (
        error && (
          <p role="alert" className="t-small text-danger">
            {error}
          </p>
        )
      )}
    </div>
  );
}

const formatPlain = (amount: number): string => formatMoney(cents(amount), { bare: true }).replace("$", "");
