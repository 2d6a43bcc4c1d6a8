import { type ReactNode, useId } from "react";

interface SwitchProps {
  label: string;
  /** A second line. */
  detail?: ReactNode;
  on: boolean;
  onChange: (on: boolean) => void;
  /** While the change is stored. */
  busy?: boolean;
}

/** A row with a switch. The whole row is pressable. */
export function Switch({ label, detail, on, onChange, busy = false }: SwitchProps): ReactNode {
  const id = useId();
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-labelledby={`${id}-label`}
      aria-describedby={`${id}-detail`}
      aria-busy={busy || undefined}
      onClick={() => !busy && onChange(!on)}
      className="flex min-h-16 w-full items-center gap-4 rounded-choice bg-surface px-4 py-2.5 text-left"
    >
      <span className="min-w-0 flex-1">
        <span id={`${id}-label`} className="t-strong block">
          {label}
        </span>
        <span id={`${id}-detail`} className="t-small block wrap-anywhere text-ink-2">
          {detail}
        </span>
      </span>
      <span
        aria-hidden="true"
        className={`flex h-7 w-12 shrink-0 items-center rounded-pill p-0.75 transition-colors duration-fast ${on ? "justify-end bg-accent" : "bg-line-strong"} ${busy ? "opacity-60" : ""}`}
      >
        <span className="size-5.5 rounded-full bg-surface" />
      </span>
    </button>
  );
}
