import Check from "lucide-react/icons/check";
import type { ReactNode } from "react";

interface CheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

export function Checkbox({ checked, onChange, children }: CheckboxProps): ReactNode {
  return (
    <label className="flex min-h-target cursor-pointer items-center gap-3">
      <span className="relative grid size-6 shrink-0 place-items-center">
        <input
          type="checkbox"
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
          className="edge absolute inset-0 appearance-none rounded-small checked:bg-accent"
        />
        {checked && (
          <Check
            aria-hidden="true"
            size={16}
            strokeWidth={3}
            className="pointer-events-none relative text-on-accent"
          />
        )}
      </span>
      <span>{children}</span>
    </label>
  );
}
