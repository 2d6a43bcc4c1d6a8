import type { ReactNode } from "react";
import { Loading, SkeletonBlock, SkeletonCup, SkeletonLine } from "@/ui/Skeleton";
import "./home.css";

export function OrderAgainSkeleton(): ReactNode {
  return (
    <section aria-labelledby="order-again">
      <ShelfHeading />
      <Loading label="Loading your orders">
        <ShelfSkeleton />
      </Loading>
    </section>
  );
}

interface ShelfHeadingProps {
  title?: string | undefined;
  children?: ReactNode;
}

export function ShelfHeading({ title = "Order again", children }: ShelfHeadingProps): ReactNode {
  return (
    <div className="relative z-2 -mb-3.5 flex min-h-11 items-baseline justify-between gap-4 px-gutter">
      <h2 id="order-again" className="t-heading">
        {title}
      </h2>
      {children}
    </div>
  );
}

export function PointsSkeleton(): ReactNode {
  return (
    <div className="px-gutter">
      <SkeletonBlock className="h-31" />
    </div>
  );
}

function ShelfSkeleton(): ReactNode {
  return (
    <div aria-hidden="true" className="shelf">
      <ul>
        {[0, 1, 2].map((index) => (
          <li key={index}>
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
