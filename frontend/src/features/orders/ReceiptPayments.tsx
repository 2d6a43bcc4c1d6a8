import type { ReactNode } from "react";
import { formatMoney } from "@/lib/money";
import { listPayments } from "./format-methods";
import { formatReceiptPayment } from "./format-receipt";
import { formatPaymentName } from "./payment-type";
import type { Receipt } from "./queries";

/** The payments of an order that was paid, or why nothing was. */
export function ReceiptPayments({ receipt }: { receipt: Receipt }): ReactNode {
  const { payments, paymentType, total } = receipt;
  const explanation = formatReceiptPayment(receipt);
  if (explanation) return <p className="t-small mt-2.5 text-ink-2">{explanation}</p>;
  return (
    <dl className="num t-small mt-2.5 grid gap-1 text-ink-2">
      {listPayments(payments, paymentType, total).map((payment) => (
        <div key={`${payment.type} ${payment.name}`} className="flex justify-between gap-4">
          <dt>{formatPaymentName(payment)}</dt>
          <dd>{formatMoney(payment.amount)}</dd>
        </div>
      ))}
    </dl>
  );
}
