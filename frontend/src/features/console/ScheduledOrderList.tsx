import TriangleAlert from "lucide-react/icons/triangle-alert";
import { type ReactNode, useState } from "react";
import { formatDay, formatTimeOfDay } from "@/lib/time";
import { Button } from "@/ui/Button";
import { formatLineItem, orderNumber } from "./board";
import type { ScheduledOrders, StoreOrder } from "./queries";
import { RejectSheet } from "./RejectSheet";
import { RescheduleSheet } from "./RescheduleSheet";

interface ScheduledOrderListProps {
  storeId: string;
  orders: ScheduledOrders["orders"];
}

type Opened = { order: StoreOrder; isOutsideHours: boolean; action: "move" | "reject" };

/** Scheduled orders. Those outside the opening hours come first: they have to be moved or rejected. */
export function ScheduledOrderList({ storeId, orders }: ScheduledOrderListProps): ReactNode {
  const [opened, setOpened] = useState<Opened>();
  const [isOpen, setOpen] = useState(false);
  const open = (next: Opened) => {
    setOpened(next);
    setOpen(true);
  };
  const close = () => setOpen(false);
  const sorted = [...orders].sort((a, b) => Number(b.isOutsideHours) - Number(a.isOutsideHours));
  return (
    <section aria-labelledby="console-scheduled" className="console-group">
      <h3 id="console-scheduled" className="t-heading">
        Scheduled orders
      </h3>
      {orders.length === 0 && <p className="t-small mt-1 text-ink-2">No orders for later.</p>}
      <ul className="divide-y divide-line">
        {sorted.map(({ order, isOutsideHours }) => (
          <ScheduledRow
            key={order.orderId}
            order={order}
            isOutsideHours={isOutsideHours}
            onMove={() => open({ order, isOutsideHours, action: "move" })}
            onReject={() => open({ order, isOutsideHours, action: "reject" })}
          />
        ))}
      </ul>
      {opened?.action === "reject" && <RejectSheet order={opened.order} open={isOpen} onClose={close} />}
      {opened?.action === "move" && (
        <RescheduleSheet
          storeId={storeId}
          order={opened.order}
          isOutsideHours={opened.isOutsideHours}
          open={isOpen}
          onClose={close}
        />
      )}
    </section>
  );
}

interface ScheduledRowProps {
  order: StoreOrder;
  isOutsideHours: boolean;
  onMove: () => void;
  onReject: () => void;
}

function ScheduledRow({ order, isOutsideHours, onMove, onReject }: ScheduledRowProps): ReactNode {
  const number = orderNumber(order);
  const readyAt = order.eta?.readyAt ?? "";
  return (
    <li className="py-3">
      <p className="t-strong num">
        {readyAt &&
          `${formatDay(readyAt, order.timeZone, new Date())}, ${formatTimeOfDay(readyAt, order.timeZone)}`}
        <span className="text-ink-2">
          , {order.pickupName ?? "Guest"}, {number}
        </span>
      </p>
      <ul aria-label={`Items of ${number}`} className="t-small text-ink-2">
        {order.lines.map((line) => (
          <li key={line.lineId}>
            {line.quantity > 1 && <span className="num">{line.quantity} × </span>}
            {formatLineItem(line)}
          </li>
        ))}
      </ul>
      {isOutsideHours && (
        <p className="t-small-strong mt-1 flex items-center gap-1.5 text-danger">
          <TriangleAlert aria-hidden="true" size={16} />
          You're closed at this time
        </p>
      )}
      <p className="mt-1 flex gap-5">
        <Button variant="link" aria-label={`Move, ${number}`} onClick={onMove}>
          Move
        </Button>
        <Button variant="link" aria-label={`Reject, ${number}`} onClick={onReject}>
          Reject
        </Button>
      </p>
    </li>
  );
}
