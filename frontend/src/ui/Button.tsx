import type { ComponentProps, ReactNode } from "react";
import { type ButtonVariant, buttonVariants } from "./button-variants";

interface ButtonProps extends Omit<ComponentProps<"button">, "className" | "type"> {
  variant?: ButtonVariant;
  /** The main button of a bar or a form: full width, 56 px high. */
  big?: boolean;
  type?: "button" | "submit";
  /** Ignores clicks while the action runs, and announces that to screen readers. */
  busy?: boolean;
  /** Replaces the label while busy. The button keeps the size of its label. */
  busyLabel?: string | undefined;
  children: ReactNode;
}

/** A button. Its label names the result: "Add to cart · $5.75". Use one `solid` button per view. */
export function Button({
  variant = "solid",
  big = false,
  busy = false,
  busyLabel,
  type = "button",
  disabled,
  onClick,
  children,
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        // Not `disabled` while busy, because a disabled button loses the focus.
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
      className={buttonVariants(variant, { big })}
    >
      {busy && busyLabel ? (
        <>
          <span aria-hidden="true" className="invisible">
            {children}
          </span>
          <span className="absolute inset-x-5">{busyLabel}</span>
        </>
      ) : (
        children
      )}
      {busy && (
        <span
          aria-hidden="true"
          className={`skeleton absolute size-2 rounded-full bg-current ${variant === "link" ? "-right-3.5" : "right-2.5"}`}
        />
      )}
    </button>
  );
}
