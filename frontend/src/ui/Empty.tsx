import type { ReactNode } from "react";
import emptyCup from "./empty-cup.svg";

interface EmptyProps {
  title: string;
  children?: ReactNode;
  /** The next step: a Button, or a link with `buttonVariants`. */
  action?: ReactNode;
  /** A drawing on the counter; an almost empty cup by default. */
  art?: ReactNode;
  /** Use h1 if the screen has no other heading. */
  heading?: "h1" | "h2";
}

/** An empty state with the next step. */
export function Empty({ title, children, action, art, heading: Heading = "h2" }: EmptyProps): ReactNode {
  return (
    <section className="grid justify-items-center px-gutter pt-10 text-center">
      <div className="relative z-1 grid h-36 w-full items-end justify-center">
        {art ?? <img src={emptyCup} alt="" width={187} height={130} className="-mb-0.5" />}
      </div>
      <div aria-hidden="true" className="-mt-3 h-6 w-full rounded-[3px] border-line border-y bg-counter" />
      <Heading tabIndex={Heading === "h1" ? -1 : undefined} className="t-title mt-6">
        {title}
      </Heading>
      {children && <div className="mt-2 max-w-80 text-balance text-ink-2">{children}</div>}
      {action && <div className="mt-6">{action}</div>}
    </section>
  );
}
