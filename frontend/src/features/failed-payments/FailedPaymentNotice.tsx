import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import type { ReactNode } from "react";
import { openFailedPayments } from "@/api/client";
import { Button } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import { formatOwed } from "./format";
import type { FailedPayment } from "./queries";

interface FailedPaymentNoticeProps {
  payment: FailedPayment;
  /** Whether the order was refunded before the bank returned its payment. */
  isRefunded: boolean;
}

/** Shows on an order what the consumer owes for it, and opens the modal that takes the payment. */
export function FailedPaymentNotice({ payment, isRefunded }: FailedPaymentNoticeProps): ReactNode {
  return (
    <Notice
      icon={CircleAlert}
      action={
        <Button variant="link" onClick={openFailedPayments}>
          Pay now
        </Button>
      }
    >
      <span className="num">{formatOwed(payment, isRefunded)}</span>
    </Notice>
  );
}
