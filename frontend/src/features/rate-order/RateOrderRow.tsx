import { type ReactNode, useId } from "react";
import { modals } from "@/shell/modals";
import { StarIcon } from "@/ui/Stars";
import type { RatedOrder } from "./queries";

const STARS = [1, 2, 3, 4, 5] as const;

/** Five stars that open the "Rate Your Order" modal with that rating. */
export function RateOrderRow({ order }: { order: RatedOrder }): ReactNode {
  const id = useId();
  const open = (rating: number) =>
    void modals.load("rate-order", () => import("./RateOrderSheet"), { order, rating });
  return (
    <section className="flex flex-wrap items-center justify-between gap-x-4 rounded-card bg-surface py-2 pr-2 pl-5">
      <h2 id={id} className="t-strong py-2">
        How was it?
      </h2>
      {/* biome-ignore lint/a11y/useSemanticElements: buttons that open a modal are not fields */}
      <div role="group" aria-labelledby={id} className="-ml-2 flex">
        {STARS.map((rating) => (
          <button
            key={rating}
            type="button"
            aria-haspopup="dialog"
            aria-label={rating === 1 ? "1 star" : `${rating} stars`}
            onClick={() => open(rating)}
            className="grid size-target place-items-center rounded-full"
          >
            <StarIcon look="empty" size={28} />
          </button>
        ))}
      </div>
    </section>
  );
}
