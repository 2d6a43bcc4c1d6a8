import { useQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { boolean, object, string } from "valibot";
import { errorMessage, isMissing } from "@/api/errors";
import { Totals } from "@/features/checkout/Totals";
import { FailedPaymentNotice } from "@/features/failed-payments/FailedPaymentNotice";
import { OrderLines } from "@/features/orders/OrderLines";
import { isUnfulfilled } from "@/features/orders/progress";
import { activeOrderQuery, type Receipt, receiptQuery } from "@/features/orders/queries";
import { ReceiptDetails } from "@/features/orders/ReceiptDetails";
import { ReceiptPayments } from "@/features/orders/ReceiptPayments";
import { ShareReceipt } from "@/features/orders/ShareReceipt";
import { searchParam } from "@/lib/search";
import { Header } from "@/shell/Header";
import { Page } from "@/shell/Page";
import { requireSession } from "@/shell/session";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";
import { Empty } from "@/ui/Empty";
import { Loading, SkeletonRows } from "@/ui/Skeleton";
import { useOrderFailedPayment } from "./-order-failed-payments";
import { PayNow } from "./-pay-now";

export const Route = createFileRoute("/order/complete")({
  validateSearch: object({
    orderId: searchParam(string()),
    signature: searchParam(string()),
    isReceiptPublicPage: searchParam(boolean()),
    overrideDay: searchParam(string()),
  }),
  // The link of a receipt works signed out.
  beforeLoad: (options) => (options.search.isReceiptPublicPage ? undefined : requireSession(options)),
  component: ReceiptScreen,
});

function ReceiptScreen(): ReactNode {
  const { orderId = "", signature = "", isReceiptPublicPage = false, overrideDay } = Route.useSearch();
  const {
    data: receipt,
    error,
    isFetching,
    refetch,
  } = useQuery(receiptQuery(orderId, isReceiptPublicPage ? signature : undefined));
  return (
    <Page header={<Header title="Receipt" up={isReceiptPublicPage ? { to: "/" } : { to: "/orders" }} />}>
      {!receipt && !error && (
        <Loading label="Loading the receipt">
          <div className="px-gutter">
            <SkeletonRows count={4} />
          </div>
        </Loading>
      )}
      {!receipt && error && (
        <Empty
          title="We couldn't open this receipt"
          action={
            isMissing(error) ? (
              <Link to="/" className={buttonVariants("solid")}>
                Go to home
              </Link>
            ) : (
              <Button variant="soft" busy={isFetching} onClick={() => void refetch()}>
                Try again
              </Button>
            )
          }
        >
          <p>{errorMessage(error)}</p>
        </Empty>
      )}
      {receipt && (
        <article className="px-gutter pb-8">
          <ReceiptDetails receipt={receipt} now={new Date()} />
          <OrderLines lines={receipt.lines} />
          <Totals quote={receipt} promoCode="" />
          <ReceiptPayments receipt={receipt} />
          {!isReceiptPublicPage && <ReturnedPayment receipt={receipt} />}
          {isReceiptPublicPage ? (
            <Link to="/explore" className={`${buttonVariants("link")} mt-4`}>
              Order ahead yourself
            </Link>
          ) : (
            <OwnReceiptActions receipt={receipt} overrideDay={overrideDay} />
          )}
        </article>
      )}
    </Page>
  );
}

/** What the consumer owes because the bank returned the payment, or that they have paid it. */
function ReturnedPayment({ receipt }: { receipt: Receipt }): ReactNode {
  const { failedPayment, isRecovered } = useOrderFailedPayment(receipt);
  if (isRecovered)
    return (
      <p className="t-small mt-2.5 text-ink-2">Your bank returned this payment. You've paid it since.</p>
    );
  if (!failedPayment) return null;
  return (
    <div className="mt-4">
      <FailedPaymentNotice payment={failedPayment} isRefunded={isUnfulfilled(receipt)} action={<PayNow />} />
    </div>
  );
}

/** Sharing, and the way to the order while it is active. */
function OwnReceiptActions({
  receipt: { orderId },
  overrideDay,
}: {
  receipt: Receipt;
  overrideDay: string | undefined;
}): ReactNode {
  const { data } = useQuery(activeOrderQuery(orderId, overrideDay));
  return (
    <div className="mt-4 flex flex-wrap gap-x-6">
      <ShareReceipt orderId={orderId} />
      {data?.order && (
        <Link to="/orders/$orderId" params={{ orderId }} className={buttonVariants("link")}>
          Track order
        </Link>
      )}
    </div>
  );
}
