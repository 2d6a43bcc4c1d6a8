import type { ReactNode } from "react";

const TONES = {
  plain: "bg-sunk text-ink-2",
  good: "bg-success-soft text-success",
  bad: "bg-danger-soft text-danger",
  on: "bg-accent-soft text-accent",
};

/** A label of one or two words: "Curbside", "Default". Use `good` only for completed actions and `on` only for pressable elements. */
export function Tag({
  tone = "plain",
  children,
}: {
  tone?: keyof typeof TONES;
  children: ReactNode;
}): ReactNode {
  return (
    <span className={`t-tag inline-flex min-h-5.5 items-center gap-1 rounded-[7px] px-2 ${TONES[tone]}`}>
      {children}
    </span>
  );
}
