import type { ReactNode } from "react";
import { Loading, SkeletonBlock, SkeletonCup, SkeletonLine } from "@/ui/Skeleton";
import "./home.css";

/** The usuals before they are there, their heading included. */
export function OrderAgainSkeleton(): ReactNode {
  return (
    <section aria-labelledby="usuals">
      <ShelfHeading />
      <Loading label="Loading your orders">
        <ShelfSkeleton />
      </Loading>
    </section>
  );
}

interface ShelfHeadingProps {
  title?: string | undefined;
  /** What leads on from it, at the right. */
  children?: ReactNode;
}

/** Stands over the shelf. */
export function ShelfHeading({ title = "Order again", children }: ShelfHeadingProps): ReactNode {
  return (
    <div className="relative z-2 -mb-3.5 flex min-h-11 items-baseline justify-between gap-4 px-gutter">
      <h2 id="usuals" className="t-heading">
        {title}
      </h2>
      {children}
    </div>
  );
}

/** The points before they are known. */
export function PointsSkeleton(): ReactNode {
  return (
    <div className="px-gutter">
      <SkeletonBlock className="h-31" />
    </div>
  );
}

/** The shelf before it is known what stands on it. */
export function ShelfSkeleton(): ReactNode {
  return (
    <div aria-hidden="true" className="shelf">
      <ul>
        {[0, 1, 2].map((place) => (
          <li key={place}>
            <div className="shelf-cup grid items-end justify-center pb-4">
              <SkeletonCup className="h-34" />
            </div>
            <SkeletonLine className="mt-3 w-3/4" />
            <SkeletonLine className="mt-2 h-3 w-1/2" />
            <SkeletonLine className="mt-3 h-11 w-full rounded-pill" />
          </li>
        ))}
      </ul>
    </div>
  );
}
