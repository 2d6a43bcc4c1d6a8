import type { LucideIcon } from "lucide-react/types";
import type { ReactNode } from "react";

/** A quiet sentence in its own box: what to know about this screen now. */
export function Notice({ icon: Icon, children }: { icon?: LucideIcon; children: ReactNode }): ReactNode {
  return (
    <div className="t-small flex gap-3 rounded-choice bg-sunk px-4 py-3.5 text-ink-2">
      {Icon && <Icon aria-hidden="true" size={20} strokeWidth={1.75} className="shrink-0" />}
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
