import { createFileRoute, Outlet } from "@tanstack/react-router";
import { ConsoleShell } from "@/features/console/ConsoleShell";

export const Route = createFileRoute("/store-console")({
  head: () => ({ meta: [{ title: "Store console · Order Ahead" }] }),
  component: () => (
    <ConsoleShell>
      <Outlet />
    </ConsoleShell>
  ),
});
