import { createFileRoute } from "@tanstack/react-router";
import { StoreConsole } from "@/features/console/StoreConsole";

export const Route = createFileRoute("/store-console")({
  head: () => ({ meta: [{ title: "Store console · Order Ahead" }] }),
  component: StoreConsole,
});
