import Clock from "lucide-react/icons/clock";
import type { ReactNode } from "react";
import { formatDayInSentence, formatTime } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { Notice } from "@/ui/Notice";
import { isBehind } from "./behind";
import { canCancel, findAgreedTime, isDelayed, isLate, isRescheduled } from "./progress";
import type { Order } from "./queries";

/** Warns the consumer, before they leave home, that the store needs longer than promised. */
export function PromisedTimeNotice({ order }: { order: Order }): ReactNode {
  const now = useNow(10_000);
  const late = isLate(order, now);
  const delayed = isDelayed(order);
  const moved = !late && isRescheduled(order);
  const behind = !late && isBehind(order, now);
  if (!late && !behind && !delayed && !moved) return null;
  return (
    <Notice icon={Clock}>
      {late &&
        "Your order isn't ready yet. Wait before you leave: this screen updates as soon as it's ready."}
      {!late && delayed && formatDelay(order)}
      {behind && (
        <span className={delayed ? "block pt-1" : "block"}>
          Your order isn't being made yet, so it may be a few minutes late. Check here again before you leave.
        </span>
      )}
      {moved && formatReschedule(order, now)}
      {order.delayReason && <span className="block pt-1">{order.delayReason}</span>}
    </Notice>
  );
}

function formatReschedule(order: Order, now: Date): string {
  const { eta, timeZone, storeName } = order;
  if (!eta) return "";
  const [day, time] = [formatDayInSentence(eta.readyAt, timeZone, now), formatTime(eta.readyAt, timeZone)];
  const cancel = canCancel(order) ? " If that doesn't suit you, you can cancel it." : "";
  return `${storeName} moved your order: ready ${day} at ${time}.${cancel}`;
}

function formatDelay(order: Order): string {
  const { eta, timeZone, storeName } = order;
  const agreed = findAgreedTime(order);
  if (!eta || !agreed) return "";
  const [time, before] = [formatTime(eta.readyAt, timeZone), formatTime(agreed, timeZone)];
  return `${storeName} needs a little longer: ready ${time} instead of ${before}.`;
}
