import type { GetData } from "@/api/contract";

type Status = GetData<"/order/active-orders">["orders"][number]["status"];

const ACTIVE: ReadonlySet<Status> = new Set([
  "PaymentPending",
  "Scheduled",
  "Placed",
  "Accepted",
  "Preparing",
  "Ready",
]);

/** Returns whether the order has not ended. */
export const isActive = ({ status }: { status: Status }): boolean => ACTIVE.has(status);
