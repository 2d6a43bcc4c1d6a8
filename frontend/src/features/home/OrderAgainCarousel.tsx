import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LazyItemArt } from "@/art/LazyItemArt";
import { getSizeIndex } from "@/art/size-index";
import { customChoices, formatLine } from "@/lib/format-line";
import type { Order } from "./queries";
import type { RecentOrder } from "./recent-orders";
import "./home.css";

interface OrderAgainCarouselProps {
  orders: readonly RecentOrder[];
  /** Renders the button of an order. */
  action: (order: Order) => ReactNode;
}

/** Previous orders in a row that scrolls sideways. The drink leads to its order. */
export function OrderAgainCarousel({ orders, action }: OrderAgainCarouselProps): ReactNode {
  return (
    <div className="drink-carousel">
      <ul>
        {orders.map(({ order, line, otherCount }) => {
          const description = formatLine(line.sizeName, customChoices(line.choices));
          return (
            <li key={order.orderId}>
              <Link
                to="/orders/$orderId"
                params={{ orderId: order.orderId }}
                className="mb-2.5 block rounded-card"
              >
                <span className="drink-carousel-cup">
                  <LazyItemArt
                    art={line.art}
                    selection={{ sizeIndex: getSizeIndex(line.art, line.sizeName), choices: line.choices }}
                    crop={0.72}
                  />
                </span>
                <h3 className="t-strong mt-3 truncate leading-[1.25]">{line.itemName}</h3>
                <p className="t-small truncate text-ink-2">
                  {otherCount > 0 ? `and ${otherCount} more` : description || "No changes"}
                </p>
              </Link>
              <div className="*:w-full *:px-1.5 *:text-[0.875rem]">{action(order)}</div>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const SAMPLES = [
  { kind: "drink", base: "latte", iced: true },
  { kind: "drink", base: "flat-white" },
  { kind: "drink", base: "cold-brew", foam: "vanilla" },
  { kind: "drink", base: "matcha", iced: true },
  { kind: "drink", base: "cappuccino" },
];

interface SampleCarouselProps {
  /** The store that a press on a drink opens. */
  storeId?: string | undefined;
  children: ReactNode;
}

/** A carousel of sample drinks, for consumers without orders. Below it is a link to the stores, also for keyboards. */
export function SampleCarousel({ storeId, children }: SampleCarouselProps): ReactNode {
  return (
    <>
      <div aria-hidden="true" className="drink-carousel h-52">
        <ul>
          {SAMPLES.map((art) => {
            const cup = (
              <span className="drink-carousel-cup">
                <LazyItemArt art={art} selection={{ sizeIndex: 1 }} crop={0.72} />
              </span>
            );
            return (
              <li key={art.base}>
                {storeId ? (
                  <Link to="/store/$storeId/menu" params={{ storeId }} tabIndex={-1} className="block">
                    {cup}
                  </Link>
                ) : (
                  cup
                )}
              </li>
            );
          })}
        </ul>
      </div>
      <div className="px-gutter">{children}</div>
    </>
  );
}
