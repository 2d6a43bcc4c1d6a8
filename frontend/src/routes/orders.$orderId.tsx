import { keepPreviousData, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Totals } from "@/features/checkout/Totals";
import { FailedPaymentNotice } from "@/features/failed-payments/FailedPaymentNotice";
import {
  formatAnnouncement,
  formatPayment,
  formatRefund,
  hasRefund,
  isUnpaid,
} from "@/features/orders/format";
import { useAuthenticatePayment, useUserArrived } from "@/features/orders/mutations";
import { OrderAgain } from "@/features/orders/OrderAgain";
import { OrderHero } from "@/features/orders/OrderHero";
import { OrderLines } from "@/features/orders/OrderLines";
import { OrderSteps } from "@/features/orders/OrderSteps";
import { PickupLocation } from "@/features/orders/PickupLocation";
import { PromisedTimeNotice } from "@/features/orders/PromisedTimeNotice";
import { getPollInterval } from "@/features/orders/poll-interval";
import {
  canAnnounceArrival,
  canCancel,
  findStatusTime,
  isUnfulfilled,
  needsAuthentication,
} from "@/features/orders/progress";
import { type Order, orderQuery } from "@/features/orders/queries";
import { ShareReceipt } from "@/features/orders/ShareReceipt";
import { useLiveOrders } from "@/features/orders/use-live-orders";
import { formatPoints } from "@/features/points/format";
import { useRevokedPoints } from "@/features/points/use-revoked-points";
import { RateOrderRow } from "@/features/rate-order/RateOrderRow";
import { storeCardQuery } from "@/features/stores/queries";
import { useGeolocation } from "@/features/stores/use-geolocation";
import { isActive } from "@/lib/order-status";
import { formatVehicle } from "@/lib/vehicle";
import { BackButton } from "@/shell/Header";
import { modals } from "@/shell/modals";
import { BottomBar, Page } from "@/shell/Page";
import { requireSession } from "@/shell/session";
import { device } from "@/state/device";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";
import { Notice } from "@/ui/Notice";
import { Loading, SkeletonBlock, SkeletonRows } from "@/ui/Skeleton";
import { useOrderFailedPayment } from "./-order-failed-payments";
import { PayNow } from "./-pay-now";

export const Route = createFileRoute("/orders/$orderId")({
  beforeLoad: requireSession,
  loader: ({ context: { queryClient }, params: { orderId } }) => {
    void queryClient.prefetchQuery(orderQuery(orderId));
  },
  component: OrderScreen,
  pendingComponent: OrderSkeleton,
});

function OrderScreen(): ReactNode {
  const { orderId } = Route.useParams();
  const { data: order } = useSuspenseQuery(orderQuery(orderId));
  const isPlaced = isActive(order) && order.status !== "PaymentPending";
  const isLive = useLiveOrders(isActive(order));
  useQuery({
    ...orderQuery(orderId),
    refetchInterval: ({ state }) => getPollInterval(state.data, isLive),
  });
  const { position } = useGeolocation();
  const { data: store } = useQuery({
    ...storeCardQuery(order.storeId, position),
    enabled: isPlaced,
    placeholderData: keepPreviousData,
  });
  const { failedPayment, isRecovered } = useOrderFailedPayment(order);
  const payment = formatPayment(order, failedPayment ? "owed" : isRecovered ? "recovered" : undefined);
  return (
    <Page header={<OrderHero order={order} back={<Back />} />} bar={<NextStep order={order} />}>
      <p role="status" className="sr-only">
        {formatAnnouncement(order)}
      </p>
      <div className="order-sheet grid gap-6 px-gutter">
        <PromisedTimeNotice order={order} />
        {failedPayment && (
          <FailedPaymentNotice
            payment={failedPayment}
            isRefunded={isUnfulfilled(order)}
            action={<PayNow />}
          />
        )}
        {!isUnfulfilled(order) && <OrderSteps order={order} payment={payment} />}
        {order.status === "Completed" && !order.isRated && <RateOrderRow order={order} />}
        {hasRefund(order) && <Refund order={order} />}
        {isPlaced && (
          <div>
            <PickupLocation order={order} store={store} />
            {order.arrivedAt !== null && (
              <div className="pt-3">
                <Notice>The store knows you're here.</Notice>
              </div>
            )}
          </div>
        )}
        <section>
          <h2 className="t-heading mb-1">Receipt</h2>
          <OrderLines lines={order.lines} />
          <Totals quote={order} promoCode={order.promoCode ?? ""} />
          <p className="t-small mt-2.5 text-ink-2">
            {!isUnfulfilled(order) && `${payment}. `}
            <OrderPoints order={order} />
          </p>
          {hasReceipt(order) && (
            <div className="flex flex-wrap gap-x-6">
              <ShareReceipt orderId={order.orderId} />
              <Link
                to="/order/complete"
                search={{ orderId: order.orderId }}
                className={buttonVariants("link")}
              >
                View receipt
              </Link>
            </div>
          )}
        </section>
        {canCancel(order) && (
          <div className="text-center">
            <Button
              variant="link"
              onClick={() => modals.load("cancel", () => import("@/features/orders/CancelSheet"), { order })}
            >
              Cancel order
            </Button>
          </div>
        )}
      </div>
    </Page>
  );
}

/** The points that an order earns. An order that was refunded since keeps some or none of them. */
function OrderPoints({ order }: { order: Order }): ReactNode {
  const isPickedUp = order.status === "Completed" && !isUnpaid(order);
  const revoked = useRevokedPoints(
    order.orderId,
    isPickedUp && order.points > 0 ? findStatusTime(order, "Completed") : undefined,
  );
  if (order.points === 0 || isUnfulfilled(order)) return null;
  const points = formatPoints(order.points);
  if (isUnpaid(order)) return "It earned no points because it wasn't paid.";
  if (!isPickedUp) return `You'll earn ${points} at pickup.`;
  return revoked === 0
    ? `You earned ${points}.`
    : `You earned ${points}. We took ${revoked === order.points ? "them" : revoked} back with your refund.`;
}

/** An order has a receipt once it is placed. */
const hasReceipt = ({ status }: Order): boolean => status !== "PaymentPending" && status !== "PaymentFailed";

function Refund({ order }: { order: Order }): ReactNode {
  return (
    <section className="pt-1">
      <h2 className="t-heading">Your payment</h2>
      <p className="mt-1 text-ink-2">{formatRefund(order)}</p>
    </section>
  );
}

/** The main action: "Confirm payment", "I'm here" while the order is active, then "Order again". */
function NextStep({ order }: { order: Order }): ReactNode {
  const userArrived = useUserArrived();
  const submit = () => {
    const curbside = order.pickup === "curbside";
    const vehicle = curbside ? order.vehicle || formatVehicle(device.vehicle.get()) : "";
    const announce = () =>
      userArrived.mutate({
        orderId: order.orderId,
        vehicle: curbside ? vehicle || formatVehicle(device.vehicle.get()) : "",
      });
    if (!curbside || vehicle) return announce();
    void modals.load("vehicle", () => import("@/features/vehicle/VehicleSheet"), {
      submitLabel: "I'm here",
      onSaved: announce,
    });
  };
  if (canAnnounceArrival(order)) {
    return (
      <BottomBar>
        <Button big busy={userArrived.isPending} onClick={submit}>
          I'm here
        </Button>
      </BottomBar>
    );
  }
  if (needsAuthentication(order)) return <ConfirmPayment orderId={order.orderId} />;
  if (isActive(order)) return null;
  return (
    <BottomBar>
      <OrderAgain order={order} big />
    </BottomBar>
  );
}

function ConfirmPayment({ orderId }: { orderId: string }): ReactNode {
  const authenticate = useAuthenticatePayment();
  return (
    <BottomBar>
      <Button big busy={authenticate.isPending} onClick={() => authenticate.mutate(orderId)}>
        Confirm payment
      </Button>
    </BottomBar>
  );
}

function Back(): ReactNode {
  return (
    <span className="[&_button]:text-inverse-ink">
      <BackButton up={{ to: "/orders" }} />
    </span>
  );
}

function OrderSkeleton(): ReactNode {
  return (
    <Page
      header={
        <div className="h-105 bg-inverse px-2.5 pt-2">
          <Back />
        </div>
      }
    >
      <Loading label="Loading your order">
        <div className="order-sheet px-gutter">
          <SkeletonRows count={4} />
          <SkeletonBlock className="h-16" />
        </div>
      </Loading>
    </Page>
  );
}
