import { type ReactNode, useEffect, useId, useState } from "react";
import { Button } from "./Button";
import { radioClass } from "./radio-class";
import { Sheet } from "./Sheet";

export interface Option<Value extends string = string> {
  value: Value;
  label: string;
  /** A second line, for example a balance. */
  detail?: ReactNode;
  prefix?: ReactNode;
  suffix?: ReactNode;
  disabled?: boolean;
}

export interface SelectOptionsProps<Value extends string> {
  title: string;
  options: readonly Option<Value>[];
  value: Value | null;
  confirmLabel: string;
  open: boolean;
  onClose: () => void;
  onConfirm: (value: Value) => void;
}

/** The options of a {@link SelectSheet}. The confirm button applies the selection. */
export default function SelectOptions<Value extends string>({
  title,
  options,
  value,
  confirmLabel,
  open,
  onClose,
  onConfirm,
}: SelectOptionsProps<Value>): ReactNode {
  const [selected, setSelected] = useState(value);
  const name = useId();
  // A reopened sheet starts from the current value, not from an unconfirmed selection.
  useEffect(() => {
    if (open) setSelected(value);
  }, [open, value]);
  return (
    <Sheet
      title={title}
      open={open}
      onClose={onClose}
      action={
        <Button big onClick={() => (selected === null ? onClose() : onConfirm(selected))}>
          {confirmLabel}
        </Button>
      }
    >
      <div role="radiogroup" aria-label={title} className="divide-y divide-line">
        {options.map((option) => (
          <label
            key={option.value}
            className={`flex min-h-16 items-center gap-3 py-2.5 ${option.disabled ? "text-ink-3" : "cursor-pointer"}`}
          >
            {option.prefix}
            <span className="min-w-0 flex-1">
              <span className="t-strong flex flex-wrap items-center gap-x-2">
                <span className="min-w-0">{option.label}</span>
                {option.suffix}
              </span>
              {option.detail && <span className="t-small block text-ink-2">{option.detail}</span>}
            </span>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={selected === option.value}
              disabled={option.disabled}
              onChange={() => setSelected(option.value)}
              className={radioClass}
            />
          </label>
        ))}
      </div>
    </Sheet>
  );
}
