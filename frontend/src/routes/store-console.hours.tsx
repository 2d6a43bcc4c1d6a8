import { createFileRoute } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useConsole } from "@/features/console/console-context";
import { HoursPage } from "@/features/console/HoursPage";

export const Route = createFileRoute("/store-console/hours")({
  component: Hours,
});

function Hours(): ReactNode {
  const { session } = useConsole();
  return <HoursPage storeId={session.storeId} />;
}
