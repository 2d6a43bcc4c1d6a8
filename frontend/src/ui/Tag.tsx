import type { ReactNode } from "react";

const TONES = {
  plain: "bg-sunk text-ink-2",
  good: "bg-success-soft text-success",
  bad: "bg-danger-soft text-danger",
  on: "bg-accent-soft text-accent",
};

/** A fact in a word or two: "Curbside", "Default". `good` only for what is done, `on` only for what is pressable. */
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
