import type { ReactNode } from "react";
import { formatMoney } from "@/lib/money";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";
import { formatReadyTime } from "./format";
import type { Quote } from "./queries";

interface QuoteChangedSheetProps {
  /** What was on screen. */
  before: Quote;
  /** What holds now. */
  after: Quote;
  open: boolean;
  onClose: () => void;
  onAccept: () => void;
}

/** Price or promise moved between looking and pressing: what was, what is, and the person decides. */
export function QuoteChangedSheet({
  before,
  after,
  open,
  onClose,
  onAccept,
}: QuoteChangedSheetProps): ReactNode {
  const now = new Date();
  const ready = ({ eta }: Quote) => (eta ? formatReadyTime(eta.readyAt, eta.timeZone, now) : "");
  const dearer = before.total.currencyAmount !== after.total.currencyAmount;
  const later = ready(before) !== ready(after);
  return (
    <Sheet
      title={
        dearer
          ? later
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
          moved={dearer}
        />
        <Row label="Ready" before={ready(before)} after={ready(after)} moved={later} />
      </dl>
    </Sheet>
  );
}

function Row({
  label,
  before,
  after,
  moved,
}: {
  label: string;
  before: string;
  after: string;
  moved: boolean;
}) {
  return (
    <div className="flex min-h-14 items-center justify-between gap-4">
      <dt>{label}</dt>
      <dd className="flex items-baseline gap-3">
        {moved && (
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
