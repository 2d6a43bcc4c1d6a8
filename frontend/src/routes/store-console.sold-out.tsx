import { createFileRoute } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useConsole } from "@/features/console/console-context";
import { SoldOutPage } from "@/features/console/SoldOutPage";

export const Route = createFileRoute("/store-console/sold-out")({
  component: SoldOut,
});

function SoldOut(): ReactNode {
  const { session } = useConsole();
  return <SoldOutPage storeId={session.storeId} />;
}
