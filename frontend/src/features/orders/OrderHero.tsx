import ShoppingBag from "lucide-react/icons/shopping-bag";
import type { ReactNode } from "react";
import { POUR_FROM_ABOVE_SCREEN } from "@/art/drink";
import { ItemArt } from "@/art/ItemArt";
import { getArtSelection } from "@/art/size-index";
import { isActive } from "@/lib/order-status";
import { countMinutesUntil, formatDay, formatDayInSentence, formatTime, formatTimeOfDay } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { formatEnd, formatStatus, isUnpaid } from "./format";
import { calculateCupFill, findStatusTime, isLate, isUnfulfilled, needsAuthentication } from "./progress";
import type { Order } from "./queries";
import "./order-hero.css";

/** The header of an order: status, promised time, pickup code and the filling cup. */
export function OrderHero({ order, back }: { order: Order; back: ReactNode }): ReactNode {
  const now = useNow(10_000);
  const { title, text } = formatHeadline(order, now);
  // A notice below shows the arrival.
  const status = formatStatus({ ...order, arrivedAt: null });
  return (
    <header className="order-hero relative overflow-x-clip bg-inverse text-inverse-ink">
      <div className="relative z-3 px-2.5 pt-2">{back}</div>
      <div className="relative z-3 max-w-[62%] pt-4 pl-6 large-text:max-w-full large-text:pr-6">
        {status !== title && (
          <p className="t-small-strong flex items-center gap-2 text-inverse-crema">
            {isActive(order) && <span aria-hidden="true" className="order-pulse" />}
            {status}
          </p>
        )}
        <h1
          tabIndex={-1}
          className="num mt-2.5 mb-1.5 font-display text-[min(3.25rem,13vw)] leading-none tracking-[-0.03em]"
        >
          {title}
        </h1>
        <p className="num max-w-[40vw] text-balance text-inverse-ink-2 large-text:max-w-full">{text}</p>
      </div>
      {hasPickupNumber(order) && (
        <div className="relative z-3 px-6 pt-6 pb-16 large-text:pb-0">
          <span className="t-small block text-inverse-ink-2">Pickup code</span>
          <b className="t-hero num">{order.pickupNumber}</b>
        </div>
      )}
      <Cup order={order} now={now} />
    </header>
  );
}

/** Returns whether the consumer still needs the pickup number. */
const hasPickupNumber = (order: Order): boolean =>
  Boolean(order.pickupNumber) &&
  !isUnfulfilled(order) &&
  order.status !== "PaymentPending" &&
  order.status !== "Completed";

/** Draws the first drink of the order, or the first item if it has no drink. A bag until the drawing of food is loaded. */
function Cup({ order, now }: { order: Order; now: Date }): ReactNode {
  const line = order.lines.find(({ kind }) => kind === "drink") ?? order.lines[0];
  const drink = line?.kind === "drink";
  const fill = isUnfulfilled(order) ? 0.08 : calculateCupFill(order, now);
  const pour = order.status === "Preparing";
  const isPartial = drink && (isActive(order) || isUnfulfilled(order)) && fill < 1;
  return (
    <div aria-hidden="true" className={`order-cup ${drink ? "" : "order-food"} large-text:hidden`}>
      {line ? (
        <ItemArt
          art={line.art}
          selection={getArtSelection(line)}
          animate={drink}
          box={drink ? "44 10 152 288" : "10 56 220 244"}
          fallback={<Bag />}
          {...(isPartial ? { shown: { fill, pour, pourFrom: POUR_FROM_ABOVE_SCREEN } } : {})}
        />
      ) : (
        <Bag />
      )}
    </div>
  );
}

const Bag = () => <ShoppingBag strokeWidth={0.75} className="order-bag text-inverse-crema" />;

/** Returns the headline and the sentence below it. */
function formatHeadline(order: Order, now: Date): { title: string; text: string } {
  const { status, eta, timeZone } = order;
  if (status === "Rejected") return { title: "Not made", text: formatEnd(order) };
  if (status === "Cancelled") return { title: "Canceled", text: formatEnd(order) };
  if (status === "PaymentFailed") return { title: "Not placed", text: formatEnd(order) };
  if (isUnpaid(order)) return { title: "Not paid yet", text: order.message ?? "" };
  if (status === "Completed") {
    const at = findStatusTime(order, "Completed");
    return {
      title: "Enjoy",
      text: at ? `${formatDay(at, timeZone, now)}, ${formatTimeOfDay(at, timeZone)}` : "",
    };
  }
  if (status === "Ready") {
    const place = order.pickup === "curbside" ? "We'll bring it to your car" : "It's on the pickup shelf";
    return { title: "It's ready", text: place };
  }
  if (needsAuthentication(order)) {
    return { title: "Not paid yet", text: "Confirm it with your bank to place your order" };
  }
  if (!eta || status === "PaymentPending")
    return { title: "One moment", text: "We're waiting for your bank" };
  const time = formatTime(eta.readyAt, timeZone);
  const day = formatDay(eta.readyAt, timeZone, now);
  if (isLate(order, now)) {
    const promised = day === "Today" ? time : `${time} ${formatDayInSentence(eta.readyAt, timeZone, now)}`;
    return { title: "Running late", text: `It was promised for ${promised}` };
  }
  const title = `Ready ${time}`;
  if (day !== "Today") return { title, text: day };
  const minutes = countMinutesUntil(eta.readyAt, now);
  if (minutes === 0) return { title, text: "any moment now" };
  return { title, text: minutes === 1 ? "in 1 minute" : `in ${minutes} minutes` };
}
