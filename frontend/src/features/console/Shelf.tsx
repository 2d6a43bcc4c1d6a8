import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { LineThumb } from "@/art/LineThumb";
import { getArtSelection } from "@/art/size-index";
import { formatMoney } from "@/lib/money";
import { formatTime } from "@/lib/time";
import { Button } from "@/ui/Button";
import { Tag } from "@/ui/Tag";
import { orderNumber, readySince, type Step } from "./board";
import { formatRating } from "./figures";
import { type StoreOrder, summaryQuery } from "./queries";

interface ShelfProps {
  storeId: string;
  orders: readonly StoreOrder[];
  busyOrderId: string | undefined;
  onStep: (order: StoreOrder, step: Step) => void;
}

/** Ready orders. Those of consumers who have arrived are highlighted. */
export function Shelf({ storeId, orders, busyOrderId, onStep }: ShelfProps): ReactNode {
  return (
    <section aria-labelledby="console-shelf" className="console-shelf">
      <div className="flex items-baseline justify-between">
        <h2 id="console-shelf" className="t-heading">
          On the shelf
        </h2>
        <span className="t-small num text-ink-2">{orders.length}</span>
      </div>
      {orders.length === 0 && (
        <p className="t-small mt-3 text-ink-2">No orders are waiting to be picked up.</p>
      )}
      <ul className="console-ready">
        {orders.map((order) => (
          <ShelfCard
            key={order.orderId}
            order={order}
            isBusy={order.orderId === busyOrderId}
            onCollect={() => onStep(order, "complete")}
          />
        ))}
      </ul>
      <TodayStrip storeId={storeId} />
    </section>
  );
}

/** The figures of the day at a glance. */
function TodayStrip({ storeId }: { storeId: string }): ReactNode {
  const { data } = useQuery(summaryQuery(storeId));
  if (!data || data.made === 0) return null;
  const figures = [
    { label: "On time", value: `${data.keptPercent ?? 0}%` },
    { label: "Made", value: String(data.made) },
    { label: "Stars", value: formatRating(data.averageRatingTenths) },
  ];
  return (
    <dl className="console-strip">
      {figures.map(({ label, value }) => (
        <div key={label}>
          <dt className="t-small text-ink-2">{label}</dt>
          <dd className="t-heading num">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface ShelfCardProps {
  order: StoreOrder;
  isBusy: boolean;
  onCollect: () => void;
}

function ShelfCard({ order, isBusy, onCollect }: ShelfCardProps): ReactNode {
  const here = order.arrivedAt !== null;
  const [line] = order.lines;
  const number = orderNumber(order);
  const rest = order.lines.length - 1;
  return (
    <li className={`console-ready-card ${here ? "console-here" : ""}`}>
      {line && <LineThumb art={line.art} selection={getArtSelection(line)} />}
      <div className="min-w-0">
        <p className="t-title num">{number}</p>
        <p className="t-strong">{order.pickupName ?? "Guest"}</p>
        {order.unpaid && <Tag tone="bad">Not paid: collect {formatMoney(order.unpaid)}</Tag>}
        <p className={`t-small ${here ? "text-inverse-crema" : "text-ink-2"}`}>{formatPlace(order)}</p>
        {rest > 0 && (
          <p className={`t-small ${here ? "text-inverse-ink-2" : "text-ink-2"}`}>
            and {rest === 1 ? "1 more item" : `${rest} more items`}
          </p>
        )}
      </div>
      {here ? (
        <button
          type="button"
          className="console-hand-over"
          aria-label={`Hand over, ${number}`}
          aria-disabled={isBusy || undefined}
          onClick={() => !isBusy && onCollect()}
        >
          Hand over
        </button>
      ) : (
        <Button variant="soft" busy={isBusy} aria-label={`Picked up, ${number}`} onClick={onCollect}>
          Picked up
        </Button>
      )}
    </li>
  );
}

/** Where the consumer is, or since when the order waits. */
function formatPlace(order: StoreOrder): string {
  if (order.arrivedAt === null) return `Since ${formatTime(readySince(order), order.timeZone)}`;
  if (order.pickup !== "curbside") return "At the counter";
  return order.vehicle ? `At the curb, ${order.vehicle}` : "At the curb";
}
