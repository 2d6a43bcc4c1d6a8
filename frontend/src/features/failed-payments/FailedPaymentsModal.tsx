import { Dialog } from "@base-ui/react/dialog";
import X from "lucide-react/icons/x";
import type { ReactNode } from "react";
import { DrinkArt } from "@/art/DrinkArt";
import type { DrinkParams } from "@/art/drink";
import { formatMoney } from "@/lib/money";
import { useModal } from "@/shell/modals";
import { Button } from "@/ui/Button";
import { IconButton } from "@/ui/IconButton";
import { FailedPaymentCard } from "./FailedPaymentCard";
import { formatCents, totalPenaltyFee } from "./format";
import type { FailedPayment } from "./queries";

interface FailedPaymentsModalProps {
  payments: readonly FailedPayment[];
  /** Cents. */
  totalOwed: number;
  /** Selects the card that pays. */
  selector: ReactNode;
  /** The payments that are being paid. */
  paying: readonly string[] | undefined;
  /** Missing if the selected method pays one payment at a time. */
  onPayAll: (() => void) | undefined;
  onPay: (payment: FailedPayment) => void;
}

const ALMOST_EMPTY: DrinkParams = {
  vessel: "cold",
  size: 1,
  layers: [{ of: "coldbrew", part: 1 }],
  fill: 0.06,
};

/** The full-screen modal "We have a problem" of specification section 2. */
export function FailedPaymentsModal(props: FailedPaymentsModalProps): ReactNode {
  const modal = useModal();
  return (
    <Dialog.Root
      open={modal?.open ?? false}
      onOpenChange={(next, details) => {
        // The modal stack handles Escape, so that only the top modal closes.
        if (details.reason === "escape-key") details.cancel();
        else if (!next) modal?.close();
      }}
    >
      <Dialog.Portal>
        <Dialog.Popup className="fixed inset-0 z-30 overflow-y-auto bg-ground text-ink outline-none transition-opacity duration-base data-ending-style:opacity-0 data-starting-style:opacity-0">
          <div className="mx-auto flex min-h-full w-full max-w-page flex-col">
            <div className="flex justify-end px-2.5 pt-2">
              <IconButton icon={X} label="Close" onClick={() => modal?.close()} />
            </div>
            <Introduction count={props.payments.length} />
            <Payments {...props} />
            <p className="t-small px-gutter pb-6 text-ink-2">
              Banks charge for returned payments. The penalty fee covers that, once per payment.
            </p>
            <Totals {...props} />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Introduction({ count }: { count: number }): ReactNode {
  return (
    <header className="large-text:grid-cols-1 grid grid-cols-[1fr_96px] items-end gap-2 px-gutter">
      <div>
        <Dialog.Title className="t-display">We have a problem</Dialog.Title>
        <Dialog.Description className="mt-2 text-ink-2">
          {count === 1
            ? "Your bank returned a payment. Pay it by card and you can order again."
            : `Your bank returned ${count} payments. Pay them by card and you can order again.`}
        </Dialog.Description>
      </div>
      <div aria-hidden="true" className="large-text:hidden -mb-1.5 -ml-2 w-28">
        <DrinkArt params={ALMOST_EMPTY} width={112} box="44 96 160 196" />
      </div>
    </header>
  );
}

function Payments({ payments, paying, onPayAll, onPay }: FailedPaymentsModalProps): ReactNode {
  return (
    <ul className="grid gap-3 px-gutter pt-5 pb-4">
      {payments.map((payment) => (
        <FailedPaymentCard
          key={payment.paymentIntentId}
          payment={payment}
          isMain={!onPayAll}
          busy={paying?.length === 1 && paying[0] === payment.paymentIntentId}
          disabled={Boolean(paying) && !(paying?.length === 1 && paying[0] === payment.paymentIntentId)}
          onPay={() => onPay(payment)}
        />
      ))}
    </ul>
  );
}

function Totals({ payments, totalOwed, selector, paying, onPayAll }: FailedPaymentsModalProps): ReactNode {
  return (
    <footer className="sticky bottom-0 z-20 mt-auto bg-surface px-gutter pt-3 pb-[max(1rem,env(safe-area-inset-bottom))] shadow-bar">
      <dl className="num mb-2.5">
        <div className="t-small flex justify-between gap-4 text-ink-2">
          <dt>Total penalty fee</dt>
          <dd>{formatMoney(totalPenaltyFee(payments))}</dd>
        </div>
        <div className="t-heading flex justify-between gap-4">
          <dt>Total</dt>
          <dd>{formatCents(totalOwed)}</dd>
        </div>
      </dl>
      {selector}
      {onPayAll && (
        <div className="pt-3">
          <Button big busy={(paying?.length ?? 0) > 1} disabled={paying?.length === 1} onClick={onPayAll}>
            <span className="num">Pay all · {formatCents(totalOwed)}</span>
          </Button>
        </div>
      )}
    </footer>
  );
}
