import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { addFundsQuery } from "./queries";

interface AutoReloadRemovalNoteProps {
  paymentMethodId: string;
  isBank: boolean;
}

/** Shows that removing a payment method turns off the automatic reloads that use it. */
export function AutoReloadRemovalNote({ paymentMethodId, isBank }: AutoReloadRemovalNoteProps): ReactNode {
  const rule = useQuery(addFundsQuery).data?.autoReload;
  if (!rule?.enabled || rule.paymentMethodId !== paymentMethodId) return null;
  return `Auto-reload with this ${isBank ? "bank account" : "card"} will be turned off.`;
}
