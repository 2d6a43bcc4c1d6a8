import { createFileRoute } from "@tanstack/react-router";
import { OrderBoard } from "@/features/console/OrderBoard";

export const Route = createFileRoute("/store-console/")({ component: OrderBoard });
