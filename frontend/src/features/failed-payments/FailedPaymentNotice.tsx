import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import type { ReactNode } from "react";
import { Notice } from "@/ui/Notice";
import { formatOwed } from "./format";
import type { FailedPayment } from "./queries";

interface FailedPaymentNoticeProps {
  payment: FailedPayment;
  /** Whether the order was refunded before the bank returned its payment. */
  isRefunded: boolean;
  /** Opens the modal that takes the payment. */
  action: ReactNode;
}

/** Shows on an order what the consumer owes for it. */
export function FailedPaymentNotice({ payment, isRefunded, action }: FailedPaymentNoticeProps): ReactNode {
  return (
    <Notice icon={CircleAlert} action={action}>
      <span className="num">{formatOwed(payment, isRefunded)}</span>
    </Notice>
  );
}
