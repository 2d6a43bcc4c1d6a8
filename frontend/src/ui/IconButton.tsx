import type { LucideIcon } from "lucide-react/types";
import type { ComponentProps, ReactNode } from "react";

interface IconButtonProps extends Omit<ComponentProps<"button">, "className" | "type" | "children"> {
  icon: LucideIcon;
  /** The accessible name. */
  label: string;
  /** A badge, hidden at 0. */
  count?: number;
  /** Adds a background, for buttons over a drawing. */
  onStage?: boolean;
}

export function IconButton({
  icon: Icon,
  label,
  count = 0,
  onStage = false,
  ...rest
}: IconButtonProps): ReactNode {
  return (
    <button
      {...rest}
      type="button"
      aria-label={count > 0 ? `${label}, ${count} new` : label}
      className={`relative grid size-target shrink-0 place-items-center rounded-full text-ink ${onStage ? "bg-surface/82" : ""}`}
    >
      <Icon aria-hidden="true" size={24} strokeWidth={1.75} />
      {count > 0 && <Badge count={count} />}
    </button>
  );
}

function Badge({ count }: { count: number }): ReactNode {
  return (
    <span
      aria-hidden="true"
      className="absolute top-1 right-0.5 min-w-[min(1.125rem,20px)] rounded-full bg-badge px-[5px] text-center font-bold text-[min(0.6875rem,13px)] text-on-badge leading-[min(1.125rem,20px)] ring-2 ring-ground"
    >
      {count > 99 ? "99+" : count}
    </span>
  );
}
