import { Navigate } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { toast } from "@/ui/toast";

/** Leads to the order of this cart, which another tab placed. */
export function OrderedElsewhere({ orderId }: { orderId: string }): ReactNode {
  useEffect(() => toast("You already placed this order."), []);
  return <Navigate to="/orders/$orderId" params={{ orderId }} replace />;
}
