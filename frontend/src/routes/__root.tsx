import { useQueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, Outlet, useMatches } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { useSaveCart } from "@/features/cart/use-save-cart";
import { useRateReminder } from "@/features/rate-order/use-rate-reminder";
import type { RouterContext } from "@/router";
import { BottomNav } from "@/shell/BottomNav";
import { CartStrip } from "@/shell/CartStrip";
import { ModalHost } from "@/shell/modals";

export const Route = createRootRouteWithContext<RouterContext>()({
  component: App,
});

/** Wraps every screen (`/_app` of the specification). */
function App(): ReactNode {
  useSaveCart();
  useRateReminder();
  useFailedPaymentsEvent();
  const tab = useMatches({
    select: (matches) => matches.findLast((match) => match.staticData.tab)?.staticData.tab,
  });
  return (
    <>
      <div className="flex min-h-dvh flex-col">
        {/* `ConnectionNotice` renders into it. */}
        <div id="connection-notice" role="status" />
        <Outlet />
        {tab && (
          <div className="sticky bottom-0 z-20">
            {(tab === "home" || tab === "explore") && <CartStrip />}
            <BottomNav current={tab} />
          </div>
        )}
      </div>
      <ModalHost />
    </>
  );
}

/** Opens "We have a problem" when a call is rejected because of failed payments. Its code loads then. */
function useFailedPaymentsEvent(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const open = () =>
      import("./-failed-payments-modal")
        .then(({ openFailedPaymentsModal }) => openFailedPaymentsModal(queryClient))
        // Shows nothing, as specified (section 4). The next call that is rejected opens it again.
        .catch(() => undefined);
    window.addEventListener("failed_payments", open);
    return () => window.removeEventListener("failed_payments", open);
  }, [queryClient]);
}
