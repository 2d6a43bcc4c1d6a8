import { type ReactNode, useId } from "react";
import { radioClass } from "@/ui/radio-class";

interface RadioRowsProps {
  label: string;
  options: readonly { value: string; label: string }[];
  selected: string | undefined;
  onSelect: (value: string) => void;
}

/** Options of a sheet with a separate confirm button. The rows do not move on selection, so a double tap cannot confirm. */
export function RadioRows({ label, options, selected, onSelect }: RadioRowsProps): ReactNode {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className="divide-y divide-line">
      {options.map((option) => (
        <label key={option.value} className="flex min-h-16 cursor-pointer items-center gap-3 py-2.5">
          <span className="t-strong num min-w-0 flex-1">{option.label}</span>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={selected === option.value}
            onChange={() => onSelect(option.value)}
            className={radioClass}
          />
        </label>
      ))}
    </div>
  );
}
