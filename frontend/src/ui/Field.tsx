import { type ComponentProps, type ReactNode, useId } from "react";

interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** Announced when it appears. */
  error?: string | undefined;
  /** Receives the attributes that connect the input with its label and description. */
  children: (ids: { id: string; "aria-describedby": string; "aria-invalid": boolean }) => ReactNode;
}

/** An input of any kind with its label and its hint or error. */
export function Field({ label, hint, error, children }: FieldProps): ReactNode {
  const id = useId();
  return (
    // An input has a large minimum width, which would widen the column of a grid.
    <div className="min-w-0">
      <label htmlFor={id} className="t-small-strong mb-1.5 block">
        {label}
      </label>
      {children({ id, "aria-describedby": `${id}-description`, "aria-invalid": error !== undefined })}
      <p
        id={`${id}-description`}
        aria-live="polite"
        className={`t-small mt-2 ${error ? "text-danger" : "text-ink-2"}`}
      >
        {error ?? hint}
      </p>
    </div>
  );
}

interface TextInputProps extends Omit<ComponentProps<"input">, "className" | "prefix"> {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Before the text: "+1", "$". */
  prefix?: ReactNode;
  suffix?: ReactNode;
}

/** A single-line text field. Works with react-hook-form's `register`. */
export function TextInput({ label, hint, error, prefix, suffix, ...input }: TextInputProps): ReactNode {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <span
          className={`num flex min-h-bar items-center gap-3 rounded-choice bg-surface px-4 ${error ? "shadow-[inset_0_0_0_2px_var(--danger)] focus-within:shadow-[inset_0_0_0_2px_var(--danger),0_0_0_4px_var(--danger-soft)]" : "edge focus-within:shadow-[inset_0_0_0_2px_var(--accent),0_0_0_4px_var(--accent-soft)]"}`}
        >
          {prefix && <span className="text-ink-2">{prefix}</span>}
          <input
            {...input}
            {...ids}
            className="w-0 min-w-0 flex-1 bg-transparent py-3 font-medium text-[1.0625rem] outline-none placeholder:text-ink-3"
          />
          {suffix}
        </span>
      )}
    </Field>
  );
}
