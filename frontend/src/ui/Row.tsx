import ChevronRight from "lucide-react/icons/chevron-right";
import type { LucideIcon } from "lucide-react/types";
import type { ReactNode } from "react";

/** The classes of a pressable row in a {@link RowGroup}: a link or a button with {@link RowContent}. */
export const rowClass =
  "flex min-h-15 w-full items-center gap-3.5 px-4 py-2.5 text-left transition-colors duration-fast active:bg-sunk";

interface RowGroupProps {
  title: string;
  children: ReactNode;
}

/** Rows in a card, below a heading. */
export function RowGroup({ title, children }: RowGroupProps): ReactNode {
  return (
    <section className="grid gap-2.5">
      <h2 className="t-heading">{title}</h2>
      <div className="divide-y divide-line overflow-hidden rounded-card bg-surface">{children}</div>
    </section>
  );
}

export interface RowContentProps {
  icon: LucideIcon;
  label: string;
  /** A second line: the current value. */
  detail?: ReactNode;
  /** Before the chevron: a count, a tag. */
  suffix?: ReactNode;
}

export function RowContent({ icon: Icon, label, detail, suffix }: RowContentProps): ReactNode {
  return (
    <>
      <Icon aria-hidden="true" size={20} strokeWidth={1.75} className="shrink-0 text-ink-2" />
      <span className="min-w-0 flex-1">
        <span className="t-strong block">{label}</span>{" "}
        {detail && <span className="t-small num block text-ink-2">{detail}</span>}
      </span>
      {suffix && <> {suffix}</>}
      <ChevronRight aria-hidden="true" size={20} strokeWidth={1.75} className="shrink-0 text-accent" />
    </>
  );
}
