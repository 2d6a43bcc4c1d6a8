import { queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";

export type FailedPayments = GetData<"/payment/failed-payments">;
export type FailedPayment = FailedPayments["list"][number];

/** What the consumer owes after the bank returned payments. Fetched each time the modal opens, and for orders that were paid by bank. */
export const failedPaymentsQuery = queryOptions({
  queryKey: ["failed-payments"],
  queryFn: ({ signal }) => read("/payment/failed-payments", {}, { signal }),
  staleTime: 0,
  gcTime: 0,
  retry: false,
});
