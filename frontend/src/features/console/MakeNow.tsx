import type { ReactNode } from "react";
import { ItemArt } from "@/art/ItemArt";
import { LineThumb } from "@/art/LineThumb";
import { getArtSelection } from "@/art/size-index";
import { formatTime } from "@/lib/time";
import emptyCup from "@/ui/empty-cup.svg";
import {
  buildSteps,
  formatGuest,
  formatRecipe,
  formatTimeLeft,
  isRejectable,
  nextStep,
  orderNumber,
  type Step,
} from "./board";
import { PrintLabel } from "./PrintLabel";
import type { StoreOrder } from "./queries";

interface MakeNowProps {
  order: StoreOrder | undefined;
  now: Date;
  isBusy: boolean;
  onStep: (order: StoreOrder, step: Step) => void;
  onDelay: (order: StoreOrder) => void;
  onReject: (order: StoreOrder) => void;
}

/** The one order to make now, with the recipe of its first item. */
export function MakeNow({ order, ...actions }: MakeNowProps): ReactNode {
  return (
    <section aria-label="Make now" className="console-now">
      {order ? (
        <Making order={order} {...actions} />
      ) : (
        <div className="my-auto text-center">
          <div aria-hidden="true" className="console-idle">
            <img src={emptyCup} alt="" width={187} height={130} />
          </div>
          <p className="t-title mt-6">All made</p>
          <p className="mt-1 text-inverse-ink-2">New orders appear here.</p>
        </div>
      )}
    </section>
  );
}

function Making({
  order,
  now,
  isBusy,
  onStep,
  onDelay,
  onReject,
}: MakeNowProps & { order: StoreOrder }): ReactNode {
  const [first, ...others] = order.lines;
  const step = nextStep(order);
  return (
    <>
      <div className="flex flex-wrap justify-between gap-x-3">
        <div>
          <p className="t-small-strong flex items-center gap-2 text-inverse-crema">
            <span aria-hidden="true" className="console-pulse" />
            {order.status === "Preparing" ? "Make now" : "Up next"}
          </p>
          <p className="console-code num">{orderNumber(order)}</p>
          <p className="text-inverse-ink-2">{formatGuest(order)}</p>
        </div>
        {order.eta && (
          <div className="num pt-5.5 text-right">
            <p className="console-code">{formatTime(order.eta.readyAt, order.timeZone)}</p>
            <p className="t-strong text-inverse-crema">{formatTimeLeft(order.eta.readyAt, now)}</p>
          </div>
        )}
      </div>
      {first && (
        <div className="console-recipe">
          <div aria-hidden="true" className="console-cup">
            <ItemArt art={first.art} selection={getArtSelection(first)} crop={0.66} />
          </div>
          <ul aria-label={`How to make ${first.itemName}`} className="console-build">
            {buildSteps(first).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
      <p className="t-display">
        {first && first.quantity > 1 && <span className="num">{first.quantity} × </span>}
        {first?.itemName}
      </p>
      {others.length > 0 && (
        <ul aria-label="Also in this order" className="mt-3 grid gap-2">
          {others.map((line) => (
            <li key={line.lineId} className="flex items-center gap-3 rounded-choice bg-inverse-2 p-2">
              <LineThumb art={line.art} selection={getArtSelection(line)} />
              <span className="t-small min-w-0 text-inverse-ink-2">
                <b className="t-strong block text-inverse-ink">
                  {line.quantity > 1 && <span className="num">{line.quantity} × </span>}
                  {line.itemName}
                </b>
                {formatRecipe(line)}
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-5 flex gap-2.5">
        {step && (
          <button
            type="button"
            className="console-main num"
            aria-busy={isBusy || undefined}
            aria-disabled={isBusy || undefined}
            onClick={() => !isBusy && onStep(order, step)}
          >
            {stepLabel(step)}, {orderNumber(order)}
          </button>
        )}
        <PrintLabel order={order} />
      </div>
      <div className="mt-1 flex justify-center gap-6">
        <SmallAction name="Delay" order={order} onClick={onDelay} />
        {isRejectable(order) && <SmallAction name="Reject" order={order} onClick={onReject} />}
      </div>
    </>
  );
}

interface SmallActionProps {
  name: string;
  order: StoreOrder;
  onClick: (order: StoreOrder) => void;
}

function SmallAction({ name, order, onClick }: SmallActionProps): ReactNode {
  return (
    <button
      type="button"
      className="t-strong min-h-target px-2 text-inverse-accent"
      aria-label={`${name}, ${orderNumber(order)}`}
      onClick={() => onClick(order)}
    >
      {name}
    </button>
  );
}

function stepLabel(step: Step): string {
  if (step === "accept") return "Accept";
  return step === "start" ? "Start" : "To the shelf";
}
