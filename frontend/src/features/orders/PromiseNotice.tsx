import Clock from "lucide-react/icons/clock";
import type { ReactNode } from "react";
import { formatTime } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { Notice } from "@/ui/Notice";
import { isDelayed, isLate } from "./progress";
import type { Order } from "./queries";

/** Tells the consumer, before they leave home, that the store needs longer than promised. */
export function PromiseNotice({ order }: { order: Order }): ReactNode {
  const now = useNow(10_000);
  const late = isLate(order, now);
  const delayed = isDelayed(order);
  if (!late && !delayed) return null;
  return (
    <Notice icon={Clock}>
      {late && "Your order isn't ready yet. Wait before you leave: we'll tell you here as soon as it is."}
      {!late && delayed && formatDelay(order)}
      {order.delayReason && <span className="block pt-1">{order.delayReason}</span>}
    </Notice>
  );
}

function formatDelay({ eta, promisedAt, timeZone, storeName }: Order): string {
  if (!eta || !promisedAt) return "";
  const [time, first] = [formatTime(eta.readyAt, timeZone), formatTime(promisedAt, timeZone)];
  return `${storeName} needs a little longer: ready ${time} instead of ${first}.`;
}
