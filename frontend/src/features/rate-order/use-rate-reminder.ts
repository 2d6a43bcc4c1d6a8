import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { device } from "@/state/device";
import { isReminderDue } from "@/state/last-order";

/**
 * Reminds the consumer to rate the last order: at startup and after each route change, at least one hour after the order, not
 * on landing pages (specification section 4). The code of the reminder loads when it is due.
 */
export function useRateReminder(): void {
  const router = useRouter();
  const queryClient = useQueryClient();
  useEffect(() => {
    const check = () => {
      const last = device.lastOrder.get();
      if (last === null || !isReminderDue(last.ts)) return;
      if (router.state.location.pathname.includes("/lp")) return;
      import("./remind").then(
        ({ remind }) => remind(queryClient, last.orderId),
        () => undefined,
      );
    };
    check();
    return router.subscribe("onResolved", check);
  }, [router, queryClient]);
}
