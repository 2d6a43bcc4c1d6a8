import { useQuery } from "@tanstack/react-query";
import { type FailedPayment, failedPaymentsQuery } from "@/features/failed-payments/queries";
import { mayBeReturned } from "@/features/orders/format";
import type { Order, Receipt } from "@/features/orders/queries";

/** Returns what the consumer owes for an order. */
export function useFailedPayment(order: Order | Receipt): FailedPayment | undefined {
  return useFailedPayments([order])?.find(({ orderId }) => orderId === order.orderId);
}

/** Returns a function that checks whether the consumer owes an order. */
export function useOwedOrders(orders: readonly Order[]): (order: Order) => boolean {
  const owed = new Set(useFailedPayments(orders)?.map(({ orderId }) => orderId));
  return ({ orderId }) => owed.has(orderId);
}

/** Fetches what the consumer owes, unless no bank can have returned a payment of these orders. */
function useFailedPayments(orders: readonly (Order | Receipt)[]): readonly FailedPayment[] | undefined {
  const { data } = useQuery({ ...failedPaymentsQuery, enabled: orders.some(mayBeReturned) });
  return data?.list;
}
