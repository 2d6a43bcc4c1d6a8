import { createFileRoute } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useConsole } from "@/features/console/console-context";
import { TodayPage } from "@/features/console/TodayPage";

export const Route = createFileRoute("/store-console/today")({
  component: Today,
});

function Today(): ReactNode {
  const { session } = useConsole();
  return <TodayPage storeId={session.storeId} timeZone={session.timeZone} />;
}
