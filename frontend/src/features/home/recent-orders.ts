import type { Order } from "./queries";

/** What stands on the shelf for an earlier order: its first drink, and how much came with it. */
export interface RecentOrder {
  order: Order;
  line: Order["lines"][number];
  /** Things besides that one. */
  more: number;
}

/** As many as one can look over while scrolling sideways. */
const MOST = 8;

/** The last different orders, newest first; ordering the same every day puts one cup on the shelf. */
export function recentOrders(orders: readonly Order[]): RecentOrder[] {
  const seen = new Set<string>();
  const usuals: RecentOrder[] = [];
  for (const order of orders) {
    const line = order.lines.find(({ kind }) => kind === "drink") ?? order.lines[0];
    if (!line || order.status !== "Completed") continue;
    const key = contentsOf(order);
    if (seen.has(key)) continue;
    seen.add(key);
    const count = order.lines.reduce((sum, { quantity }) => sum + quantity, 0);
    usuals.push({ order, line, more: count - 1 });
    if (usuals.length === MOST) break;
  }
  return usuals;
}

/** The same things made the same way at the same store. */
function contentsOf({ storeId, lines }: Order): string {
  const made = lines.map(({ itemId, sizeId, quantity, choices }) =>
    [
      itemId,
      sizeId,
      quantity,
      ...choices.map(({ choiceId, quantity }) => `${choiceId}x${quantity}`).sort(),
    ].join(),
  );
  return [storeId, ...made.sort()].join(";");
}
