import { useQuery } from "@tanstack/react-query";
import { type FailedPayment, failedPaymentsQuery } from "@/features/failed-payments/queries";
import { mayHaveFailedPayment } from "@/features/orders/format";
import type { Order, Receipt } from "@/features/orders/queries";

/** Returns the failed payment of an order. */
export function useOrderFailedPayment(order: Order | Receipt): FailedPayment | undefined {
  return useFailedPaymentsOf([order])?.find(({ orderId }) => orderId === order.orderId);
}

/** Returns a function that checks whether one of these orders has a failed payment. */
export function useHasFailedPayment(orders: readonly Order[]): (order: Order) => boolean {
  const orderIds = new Set(useFailedPaymentsOf(orders)?.map(({ orderId }) => orderId));
  return ({ orderId }) => orderIds.has(orderId);
}

/** Fetches the failed payments of the consumer, unless none of these orders can have one. */
function useFailedPaymentsOf(orders: readonly (Order | Receipt)[]): readonly FailedPayment[] | undefined {
  const { data } = useQuery({ ...failedPaymentsQuery, enabled: orders.some(mayHaveFailedPayment) });
  return data?.list;
}
