import { useIsMutating, useQueryClient } from "@tanstack/react-query";
import { createFileRoute, Outlet } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { ConsoleShell } from "@/features/console/ConsoleShell";
import { useConsole } from "@/features/console/console-context";
import { consoleKeys } from "@/features/console/queries";
import { useStoreEvents } from "@/features/stores/use-store-events";

export const Route = createFileRoute("/store-console")({
  component: () => (
    <ConsoleShell>
      <LivePages />
    </ConsoleShell>
  ),
});

/** Shows what other staff of the store change on another device: sold out, pause, hours. */
function LivePages(): ReactNode {
  const { session } = useConsole();
  const { storeId } = session;
  const queryClient = useQueryClient();
  const switching = useIsMutating({ mutationKey: consoleKeys.soldOut });
  const [isMenuStale, setMenuStale] = useState(false);
  // The menu waits for switches that are being sent, so that none moves back in between.
  useEffect(() => {
    if (!isMenuStale || switching > 0) return;
    setMenuStale(false);
    void queryClient.invalidateQueries({ queryKey: consoleKeys.menu(storeId) });
  }, [isMenuStale, switching, queryClient, storeId]);
  useStoreEvents(storeId, (event) => {
    if (event !== "status") setMenuStale(true);
    if (event === "menu") return;
    for (const queryKey of [
      consoleKeys.session,
      consoleKeys.schedule(storeId),
      consoleKeys.scheduled(storeId),
    ]) {
      void queryClient.invalidateQueries({ queryKey });
    }
  });
  return <Outlet />;
}
