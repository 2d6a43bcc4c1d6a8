import type { ReactNode } from "react";
import { LineThumb } from "@/art/LineThumb";
import { getArtSelection } from "@/art/size-index";
import { formatTime } from "@/lib/time";
import { Button } from "@/ui/Button";
import { Tag } from "@/ui/Tag";
import {
  formatRecipe,
  formatTimeLeft,
  isLate,
  isRejectable,
  nextStep,
  orderNumber,
  type Step,
  startTime,
  urgency,
} from "./board";
import type { StoreOrder } from "./queries";

/** Further items are only counted, so that all tickets have about the same height. */
const MAX_THUMBS = 2;

const LABELS: Record<Step, string> = {
  accept: "Accept",
  start: "Start",
  ready: "To the shelf",
  complete: "Picked up",
};

interface QueueTicketProps {
  order: StoreOrder;
  position: number;
  now: Date;
  isBusy: boolean;
  onStep: (order: StoreOrder, step: Step) => void;
  onDelay: (order: StoreOrder) => void;
  onReject: (order: StoreOrder) => void;
}

/** An order that is made later. */
export function QueueTicket({
  order,
  position,
  now,
  isBusy,
  onStep,
  onDelay,
  onReject,
}: QueueTicketProps): ReactNode {
  const step = nextStep(order);
  const number = orderNumber(order);
  const start = new Date(startTime(order)).toISOString();
  const percent = urgency(order, now);
  return (
    <li className={`console-ticket ${position === 1 ? "console-ticket-next" : ""}`}>
      <b aria-hidden="true" className="console-position num">
        {position}
      </b>
      <div aria-hidden="true" className="console-thumbs">
        {order.lines.slice(0, MAX_THUMBS).map((line) => (
          <LineThumb key={line.lineId} art={line.art} selection={getArtSelection(line)} />
        ))}
      </div>
      <div className="console-what">
        <ul aria-label={`Items of ${number}`}>
          {order.lines.map((line) => (
            <li key={line.lineId}>
              <span className="t-strong">
                {line.quantity > 1 && <span className="num">{line.quantity} × </span>}
                {line.itemName}
              </span>
              <span className="t-small block text-ink-2">{formatRecipe(line)}</span>
            </li>
          ))}
        </ul>
        <p className="t-small mt-1 flex flex-wrap items-center gap-2 text-ink-2">
          <span className="num">
            {order.pickupName ?? "Guest"}, {number}
          </span>
          {order.status === "Placed" && <Tag>New</Tag>}
          {order.status === "Preparing" && <Tag>Being made</Tag>}
          {order.pickup === "curbside" && <Tag>Curbside</Tag>}
          {order.eta?.scheduled && <Tag>Scheduled</Tag>}
        </p>
      </div>
      <div className="console-times num">
        <p className="t-small text-ink-2">start {formatTime(start, order.timeZone)}</p>
        {order.eta && (
          <>
            <p className="console-promise">{formatTime(order.eta.readyAt, order.timeZone)}</p>
            <p className={`t-small ${isLate(order.eta.readyAt, now) ? "text-danger" : "text-ink-2"}`}>
              {formatTimeLeft(order.eta.readyAt, now)}
            </p>
          </>
        )}
        <span aria-hidden="true" className="console-slack">
          <span style={{ width: `${percent}%` }} />
        </span>
      </div>
      <div className="console-ticket-actions">
        {step && (
          <Button
            variant="soft"
            busy={isBusy}
            aria-label={`${LABELS[step]}, ${number}`}
            onClick={() => onStep(order, step)}
          >
            {LABELS[step]}
          </Button>
        )}
        <Button variant="link" aria-label={`Delay, ${number}`} onClick={() => onDelay(order)}>
          Delay
        </Button>
        {isRejectable(order) && (
          <Button variant="link" aria-label={`Reject, ${number}`} onClick={() => onReject(order)}>
            Reject
          </Button>
        )}
      </div>
    </li>
  );
}
