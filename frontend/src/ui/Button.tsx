import type { ComponentProps, ReactNode } from "react";
import { type Look, look } from "./button-variants";

interface ButtonProps extends Omit<ComponentProps<"button">, "className" | "type"> {
  look?: Look;
  /** The main button of a bar or a form: full width, 56 high. */
  big?: boolean;
  type?: "button" | "submit";
  /** The action is under way: presses are ignored, and assistive technology hears why. */
  busy?: boolean;
  children: ReactNode;
}

/** Says what happens and what it costs: "Add to cart · $5.75". One `solid` button a view. */
export function Button({
  look: chosen = "solid",
  big = false,
  busy = false,
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
        // Not `disabled` while busy: that would take the focus away from where the person is.
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
      className={buttonVariants(chosen, { big })}
    >
      {children}
      {busy && <span aria-hidden="true" className="skeleton size-2 shrink-0 rounded-full bg-current" />}
    </button>
  );
}
