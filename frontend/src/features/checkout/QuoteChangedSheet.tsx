import type { ReactNode } from "react";
import { formatMoney } from "@/lib/money";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";
import { formatReadyTime } from "./format";
import type { Quote } from "./queries";

interface QuoteChangedSheetProps {
  /** The displayed quote. */
  before: Quote;
  /** The current quote. */
  after: Quote;
  open: boolean;
  onClose: () => void;
  onAccept: () => void;
}

/** Asks for confirmation when total or promised time changed since the quote was displayed. */
export function QuoteChangedSheet({
  before,
  after,
  open,
  onClose,
  onAccept,
}: QuoteChangedSheetProps): ReactNode {
  const now = new Date();
  const ready = ({ eta }: Quote) => (eta ? formatReadyTime(eta.readyAt, eta.timeZone, now) : "");
  const totalChanged = before.total.currencyAmount !== after.total.currencyAmount;
  const timeChanged = ready(before) !== ready(after);
  return (
    <Sheet
      title={
        totalChanged
          ? timeChanged
            ? "Your total and pickup time changed"
            : "Your total changed"
          : "Your pickup time changed"
      }
      description="You haven't ordered yet, and you weren't charged. Check the details below."
      open={open}
      onClose={onClose}
      action={
        <div className="grid gap-1">
          <Button big onClick={onAccept}>
            <span className="num">
              Place order · {formatMoney(after.total)} · ready {ready(after)}
            </span>
          </Button>
          <Button variant="link" onClick={onClose}>
            Back to checkout
          </Button>
        </div>
      }
    >
      <dl className="num divide-y divide-line">
        <Row
          label="Total"
          before={formatMoney(before.total)}
          after={formatMoney(after.total)}
          changed={totalChanged}
        />
        <Row label="Ready" before={ready(before)} after={ready(after)} changed={timeChanged} />
      </dl>
    </Sheet>
  );
}

function Row({
  label,
  before,
  after,
  changed,
}: {
  label: string;
  before: string;
  after: string;
  changed: boolean;
}) {
  return (
    <div className="flex min-h-14 items-center justify-between gap-4">
      <dt>{label}</dt>
      <dd className="flex items-baseline gap-3">
        {changed && (
          <s className="text-ink-3">
            <span className="sr-only">was: </span>
            {before}
          </s>
        )}
        <b className="t-heading">{after}</b>
      </dd>
    </div>
  );
}
