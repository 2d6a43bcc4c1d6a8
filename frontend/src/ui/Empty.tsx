import type { ReactNode } from "react";
import { SkeletonCup } from "./Skeleton";

interface EmptyProps {
  title: string;
  children?: ReactNode;
  /** The next step: a Button or a link that looks like one. */
  action?: ReactNode;
  /** A drawing that fits; an empty cup otherwise. It touches the counter below it. */
  art?: ReactNode;
}

/** Nothing here yet, and what to do about it. */
export function Empty({ title, children, action, art }: EmptyProps): ReactNode {
  return (
    <section className="grid justify-items-center px-gutter pt-10 text-center">
      <div className="relative z-1 grid h-36 w-full items-end justify-center">
        {art ?? (
          <span className="[&_.silhouette]:animate-none">
            <SkeletonCup className="h-32" />
          </span>
        )}
      </div>
      <div aria-hidden="true" className="-mt-3 h-6 w-full rounded-[3px] border-line border-y bg-counter" />
      <h2 className="t-title mt-6">{title}</h2>
      {children && <div className="mt-2 max-w-80 text-ink-2">{children}</div>}
      {action && <div className="mt-6">{action}</div>}
    </section>
  );
}
