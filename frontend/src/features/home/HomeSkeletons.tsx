import type { ReactNode } from "react";
import { Loading, SkeletonBlock, SkeletonCup, SkeletonLine, SkeletonRows } from "@/ui/Skeleton";
import "./home.css";

/** The parts of home for signed-in consumers. */
export function HomeSkeleton(): ReactNode {
  return (
    <>
      <OrderAgainSkeleton />
      <NearStoresSkeleton />
      <PointsSkeleton />
    </>
  );
}

export function OrderAgainSkeleton(): ReactNode {
  return (
    <section aria-labelledby="order-again">
      <OrderAgainHeading />
      <Loading label="Loading your orders">
        <CarouselSkeleton withButtons />
      </Loading>
    </section>
  );
}

interface OrderAgainHeadingProps {
  title?: string | undefined;
  children?: ReactNode;
}

export function OrderAgainHeading({ title = "Order again", children }: OrderAgainHeadingProps): ReactNode {
  return (
    <div className="relative z-2 -mb-3.5 flex min-h-11 items-baseline justify-between gap-4 px-gutter">
      <h2 id="order-again" className="t-heading">
        {title}
      </h2>
      {children}
    </div>
  );
}

export function NearStoresSkeleton(): ReactNode {
  return (
    <section aria-labelledby="near" className="px-gutter">
      <h2 id="near" className="t-heading flex min-h-11 items-baseline">
        Stores
      </h2>
      <Loading label="Loading stores">
        <SkeletonRows count={3} />
      </Loading>
    </section>
  );
}

export function PointsSkeleton(): ReactNode {
  return (
    <div className="px-gutter">
      <SkeletonBlock className="h-31" />
    </div>
  );
}

interface CarouselSkeletonProps {
  /** Each drink has a button. */
  withButtons?: boolean;
}

export function CarouselSkeleton({ withButtons = false }: CarouselSkeletonProps): ReactNode {
  return (
    <div aria-hidden="true" className="drink-carousel">
      <ul>
        {[0, 1, 2].map((index) => (
          <li key={index}>
            <div className="drink-carousel-cup grid items-end justify-center pb-4">
              <SkeletonCup className="h-34" />
            </div>
            <SkeletonLine className="mt-3 w-3/4" />
            <SkeletonLine className="mt-2 h-3 w-1/2" />
            {withButtons && <SkeletonLine className="mt-3 h-11 w-full rounded-pill" />}
          </li>
        ))}
      </ul>
    </div>
  );
}
