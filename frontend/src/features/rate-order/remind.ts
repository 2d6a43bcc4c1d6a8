import type { QueryClient } from "@tanstack/react-query";
import { isUnauthorized } from "@/api/errors";
import { modals } from "@/shell/modals";
import { sessionQuery } from "@/shell/queries";
import { device } from "@/state/device";
import { isReminderDue, updateReminder } from "@/state/last-order";
import { ratedOrderQuery } from "./queries";

/** Orders with a status that was fetched since the app started. */
const fetchedOrderIds = new Set<string>();

/**
 * Fetches the status of the last order, once, and opens the rating modal, unless the order was rated, canceled or rejected
 * (specification section 4).
 */
export async function remind(queryClient: QueryClient, orderId: string): Promise<void> {
  if (fetchedOrderIds.has(orderId)) return;
  fetchedOrderIds.add(orderId);
  try {
    if ((await queryClient.ensureQueryData(sessionQuery)) === null) {
      // After a sign-in the next route change shows it again.
      fetchedOrderIds.delete(orderId);
      return;
    }
    const order = await queryClient.fetchQuery(ratedOrderQuery(orderId));
    // The store may have changed the promised time since the order was last seen.
    updateReminder(order);
    const last = device.lastOrder.get();
    if (last?.orderId !== orderId) return;
    if (order.isRated || order.status === "Cancelled" || order.status === "Rejected") {
      device.lastOrder.clear();
      return;
    }
    if (!isReminderDue(last.ts)) {
      fetchedOrderIds.delete(orderId);
      return;
    }
    await modals.load("rate-order", () => import("./RateOrderSheet"), { order });
  } catch (error) {
    // A failed reminder is not worth a message. Without a connection, the next start of the app shows it again.
    if (isUnauthorized(error)) fetchedOrderIds.delete(orderId);
  }
}
