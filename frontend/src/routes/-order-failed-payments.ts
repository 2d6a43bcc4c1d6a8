import { useQuery } from "@tanstack/react-query";
import {
  type FailedPayment,
  type FailedPayments,
  failedPaymentsQuery,
} from "@/features/failed-payments/queries";
import { mayHaveFailedPayment } from "@/features/orders/format";
import type { Order, Receipt } from "@/features/orders/queries";

interface OrderFailedPayment {
  /** What the consumer owes for the order. */
  failedPayment: FailedPayment | undefined;
  /** Whether the consumer has paid what the bank returned. */
  isRecovered: boolean;
}

/** Returns whether the bank returned the payment of an order, and whether it was paid since. */
export function useOrderFailedPayment(order: Order | Receipt): OrderFailedPayment {
  const data = useFailedPaymentsOf([order]);
  return {
    failedPayment: data?.list.find(({ orderId }) => orderId === order.orderId),
    isRecovered: data?.recoveredOrderIds.includes(order.orderId) ?? false,
  };
}

/** Returns a function that checks whether one of these orders has a failed payment. */
export function useHasFailedPayment(orders: readonly Order[]): (order: Order) => boolean {
  const orderIds = new Set(useFailedPaymentsOf(orders)?.list.map(({ orderId }) => orderId));
  return ({ orderId }) => orderIds.has(orderId);
}

/** Fetches the failed payments of the consumer, unless none of these orders can have one. */
function useFailedPaymentsOf(orders: readonly (Order | Receipt)[]): FailedPayments | undefined {
  return useQuery({ ...failedPaymentsQuery, enabled: orders.some(mayHaveFailedPayment) }).data;
}
