import { Navigate } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { toast } from "@/ui/toast";

/** Leads to the order of this cart that another tab placed. */
export function OrderedElsewhere({ orderId }: { orderId: string }): ReactNode {
  useEffect(() => toast("You placed this order in another tab."), []);
  return <Navigate to="/orders/$orderId" params={{ orderId }} replace />;
}
