import type { LucideIcon } from "lucide-react/types";
import type { ReactNode } from "react";

interface NoticeProps {
  icon?: LucideIcon;
  /** A small button below the text. */
  action?: ReactNode;
  children: ReactNode;
}

/** A short message in a box. */
export function Notice({ icon: Icon, action, children }: NoticeProps): ReactNode {
  return (
    <div className="t-small flex gap-3 rounded-choice bg-sunk px-4 py-3.5 text-ink-2">
      {Icon && <Icon aria-hidden="true" size={20} strokeWidth={1.75} className="shrink-0" />}
      <div className="min-w-0 flex-1">
        {children}
        {action && <div className="mt-1 -mb-2">{action}</div>}
      </div>
    </div>
  );
}
