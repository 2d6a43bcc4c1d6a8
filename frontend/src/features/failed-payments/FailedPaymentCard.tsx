import type { ReactNode } from "react";
import { formatMoney } from "@/lib/money";
import { formatOrderDate } from "@/lib/order-date";
import { deviceZone } from "@/lib/time";
import { Button } from "@/ui/Button";
import { Tag } from "@/ui/Tag";
import { formatItemCount, owedFor } from "./format";
import type { FailedPayment } from "./queries";

interface FailedPaymentCardProps {
  payment: FailedPayment;
  /** Whether it is the main action of the screen. */
  isMain: boolean;
  busy: boolean;
  disabled: boolean;
  onPay: () => void;
}

/** A failed payment with its total, its penalty fee and the button that pays it. */
export function FailedPaymentCard({
  payment,
  isMain,
  busy,
  disabled,
  onPay,
}: FailedPaymentCardProps): ReactNode {
  const owed = formatMoney(owedFor(payment));
  return (
    <li className="rounded-card bg-surface p-4">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="t-strong">{payment.name}</h2>
        {payment.items.length > 0 && (
          <span className="t-small num shrink-0 text-ink-2">{formatItemCount(payment.items)}</span>
        )}
      </div>
      <p className="t-small num text-ink-2">{formatOrderDate(payment.created, deviceZone())}</p>
      <dl className="t-small num my-3 grid gap-2 border-line border-y py-3">
        <Line label={payment.items.length > 0 ? "Order" : "Payment"} amount={formatMoney(payment.total)} />
        <Line
          label={
            <span className="flex flex-wrap items-center gap-1.5">
              Penalty fee <Tag tone="bad">Insufficient funds</Tag>
            </span>
          }
          amount={formatMoney(payment.insufficientFundsPenaltyFee)}
        />
      </dl>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="num">
          <span className="t-small block text-ink-2">Total</span>
          <b className="t-title block">{owed}</b>
        </p>
        <Button variant={isMain ? "solid" : "soft"} busy={busy} disabled={disabled} onClick={onPay}>
          <span className="num">
            <span>Pay</span> {owed} <span className="sr-only">for {payment.name}</span>
          </span>
        </Button>
      </div>
    </li>
  );
}

function Line({ label, amount }: { label: ReactNode; amount: string }): ReactNode {
  return (
    <div className="flex items-center justify-between gap-4">
      <dt>{label}</dt>
      <dd>{amount}</dd>
    </div>
  );
}
