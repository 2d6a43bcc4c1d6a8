import { createFileRoute } from "@tanstack/react-router";
import { OrderXray } from "@/features/console/OrderXray";

export const Route = createFileRoute("/store-console_/order-xray")({ component: OrderXray });
