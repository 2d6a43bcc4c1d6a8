import type { Order } from "./queries";

/** A previous order on the order-again carousel, represented by its first drink. */
export interface RecentOrder {
  order: Order;
  line: Order["lines"][number];
  /** The number of other items. */
  otherCount: number;
}

const MAX_ORDERS = 8;

/** Returns the most recent completed orders with different contents, newest first. */
export function selectRecentOrders(orders: readonly Order[]): RecentOrder[] {
  const seen = new Set<string>();
  const recent: RecentOrder[] = [];
  for (const order of orders) {
    const line = order.lines.find(({ kind }) => kind === "drink") ?? order.lines[0];
    if (!line || order.status !== "Completed") continue;
    const key = contentsKey(order);
    if (seen.has(key)) continue;
    seen.add(key);
    const count = order.lines.reduce((sum, { quantity }) => sum + quantity, 0);
    recent.push({ order, line, otherCount: count - 1 });
    if (recent.length === MAX_ORDERS) break;
  }
  return recent;
}

/** Returns the same key for orders of the same items from the same store. */
function contentsKey({ storeId, lines }: Order): string {
  const lineKeys = lines.map(({ itemId, sizeId, quantity, choices }) =>
    [
      itemId,
      sizeId,
      quantity,
      ...choices.map(({ choiceId, quantity }) => `${choiceId}x${quantity}`).sort(),
    ].join(),
  );
  return [storeId, ...lineKeys.sort()].join(";");
}
