import { createRootRouteWithContext, HeadContent, Outlet, useMatches } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useKeptCart } from "@/features/cart/keep";
import type { RouterContext } from "@/router";
import { BottomNav } from "@/shell/BottomNav";
import { Loader } from "@/shell/Loader";
import { ModalHost } from "@/shell/modals";
import { OfflineNotice } from "@/shell/OfflineNotice";

export const Route = createRootRouteWithContext<RouterContext>()({
  head: () => ({ meta: [{ title: "Order Ahead" }] }),
  component: App,
});

/** The wrapper of every screen (`/_app` of the specification). */
function App(): ReactNode {
  useKeptCart();
  const tab = useMatches({
    select: (matches) => matches.findLast((match) => match.staticData.tab)?.staticData.tab,
  });
  return (
    <>
      <HeadContent />
      <div className="flex min-h-dvh flex-col">
        <OfflineNotice />
        <Outlet />
        {tab && <BottomNav current={tab} />}
      </div>
      <ModalHost />
      <Loader />
    </>
  );
}
