import { useQuery } from "@tanstack/react-query";
import { createFileRoute, Link, Navigate, useRouter } from "@tanstack/react-router";
import Plus from "lucide-react/icons/plus";
import { type ReactNode, useRef, useState } from "react";
import { isExpected, isUnauthorized } from "@/api/errors";
import { CartLines } from "@/features/cart/CartLines";
import { clearSavedCart } from "@/features/cart/use-save-cart";
import { type Decision, isOpen } from "@/features/checkout/attempt";
import { CheckoutBar } from "@/features/checkout/CheckoutBar";
import { CheckoutPickup } from "@/features/checkout/CheckoutPickup";
import { CheckoutSummary } from "@/features/checkout/CheckoutSummary";
import { OutcomeNotice } from "@/features/checkout/OutcomeNotice";
import type { Outcome } from "@/features/checkout/place-order";
import { QuoteError } from "@/features/checkout/QuoteError";
import { type Quote, quoteQuery } from "@/features/checkout/queries";
import { TipPicker } from "@/features/checkout/TipPicker";
import { usePlaceOrder } from "@/features/checkout/use-place-order";
import { type Order, orderQuery } from "@/features/orders/queries";
import { chooseMethod } from "@/features/payment-methods/choose-method";
import { formatShortfall } from "@/features/payment-methods/format";
import { PaymentSelector } from "@/features/payment-methods/PaymentSelector";
import { paymentMethodsQuery } from "@/features/payment-methods/queries";
import { formatVehicle } from "@/features/vehicle/format";
import { deferModule } from "@/lib/defer-module";
import { report } from "@/shell/error-reports";
import { Header } from "@/shell/Header";
import { modals } from "@/shell/modals";
import { Page } from "@/shell/Page";
import { requireSession, useSession } from "@/shell/session";
import { type Cart, cartItem, sumOf } from "@/state/cart";
import { device } from "@/state/device";
import { useItem } from "@/state/device-item";
import { buttonVariants } from "@/ui/button-variants";
import { SkeletonBlock } from "@/ui/Skeleton";

export const Route = createFileRoute("/checkout")({
  head: () => ({ meta: [{ title: "Checkout · Order Ahead" }] }),
  beforeLoad: requireSession,
  loader: ({ context: { queryClient } }) => {
    const cart = cartItem.get();
    if (cart.items.length === 0) return;
    void queryClient.prefetchQuery(quoteQuery(cart));
    void queryClient.prefetchQuery(paymentMethodsQuery({ storeId: cart.storeId }));
  },
  component: CheckoutScreen,
});

const change = (changed: Partial<Cart>) => cartItem.set((now) => ({ ...now, ...changed }));
const changeTip = (tipAmount: number) => change({ tipAmount });

function CheckoutScreen(): ReactNode {
  const cart = useItem(cartItem);
  // Kept while leaving for the order: the cart is empty by then.
  const [leaving, setLeaving] = useState(false);
  if (cart.items.length === 0 && !leaving) return <Navigate to="/cart" replace />;
  return <Checkout cart={cart} onLeave={() => setLeaving(true)} />;
}

function Checkout({ cart, onLeave }: { cart: Cart; onLeave: () => void }): ReactNode {
  const quoted = useQuery(quoteQuery(cart));
  const quote = quoted.data;
  const payment = usePayment(cart.storeId);
  const place = usePlacement(onLeave);
  const decision = useDecision(cart, quote, payment.chosen);
  const submit = (agreed: Quote | undefined) => {
    if (!payment.chosen) return payment.refuse("Payment method is required");
    const short = agreed && formatShortfall(payment.chosen, agreed.total);
    if (short) return payment.refuse(short);
    if (cart.pickup === "curbside" && device.vehicle.get() === null) return askVehicle();
    if (decision && agreed) place.run(decision, agreed);
  };
  const { moved } = place;
  return (
    <Page
      header={<Header title="Checkout" up={{ to: "/cart" }} actions={<AddMore storeId={cart.storeId} />} />}
      bar={
        <CheckoutBar
          quote={quote}
          stale={quoted.isPlaceholderData}
          busy={place.busy}
          onPlace={() => submit(quote)}
          notice={<OutcomeNotice outcome={place.outcome} />}
          resent={Boolean(decision && isOpen(decision))}
        />
      }
    >
      <div className="px-gutter">
        <CheckoutPickup
          cart={cart}
          quote={quote}
          failure={
            quoted.error && (
              <QuoteError
                error={quoted.error}
                busy={quoted.isFetching}
                onRetry={() => void quoted.refetch()}
              />
            )
          }
          onChange={change}
          onVehicle={askVehicle}
        />
        <section aria-label="Your items" className="pt-2.5">
          <CartLines items={cart.items} priced={quoted.isPlaceholderData ? undefined : quote} />
        </section>
        {quote || quoted.isError ? (
          <TipPicker
            subtotal={quote?.subtotal.currencyAmount ?? sumOf(cart.items)}
            value={cart.tipAmount}
            onChange={changeTip}
          />
        ) : (
          <SkeletonBlock className="mt-4.5 h-22" />
        )}
        <section ref={payment.place} className="pt-4.5">
          <h2 className="t-heading mb-2.5">Pay with</h2>
          {payment.selector(quote)}
        </section>
        <CheckoutSummary
          cart={cart}
          quote={quote}
          busy={quoted.isPlaceholderData}
          failed={quoted.isError}
          onPromo={(code) => change({ promo: { ...cart.promo, code } })}
        />
      </div>
      {moved && (
        <QuoteChangedSheet
          moved={moved}
          onClose={place.closeMoved}
          onAccept={() => {
            place.closeMoved();
            submit(moved.after);
          }}
        />
      )}
    </Page>
  );
}

/** The method that pays: the one chosen here, or the default choice among what the store takes. */
function usePayment(storeId: string) {
  const session = useSession();
  const { data: methods, isError, refetch } = useQuery(paymentMethodsQuery({ storeId }));
  const checkout = useItem(device.checkout);
  const [refusal, setRefusal] = useState<{ of: string | undefined; words: string }>();
  const chosen =
    methods &&
    chooseMethod(
      methods.filter(({ expired }) => !expired),
      { explicitId: checkout?.paymentId, lastId: device.preferredPaymentMethod.get() ?? undefined },
    );
  const selector = (quote: Quote | undefined) =>
    methods ? (
      <PaymentSelector
        methods={methods}
        value={chosen}
        total={quote?.total}
        userId={session?.id ?? ""}
        next="/checkout"
        error={refusal?.of === chosen?.paymentMethodId ? refusal?.words : undefined}
        onChange={({ paymentMethodId, type }) =>
          device.checkout.set({ paymentId: paymentMethodId, paymentType: type })
        }
      />
    ) : isError ? (
      <button type="button" className={buttonVariants("soft")} onClick={() => refetch()}>
        Reload payment methods
      </button>
    ) : (
      <SkeletonBlock className="h-16" />
    );
  const place = useRef<HTMLElement>(null);
  const refuse = (words: string) => {
    setRefusal({ of: chosen?.paymentMethodId, words });
    // The words stand where the choice is, which may be above the screen.
    place.current?.scrollIntoView?.({ block: "center" });
    place.current?.querySelector("button")?.focus({ preventScroll: true });
  };
  return { chosen, selector, refuse, place };
}

function useDecision(
  cart: Cart,
  quote: Quote | undefined,
  chosen: { paymentMethodId: string; type: Decision["payment"]["type"] } | undefined,
): Decision | undefined {
  const session = useSession();
  const vehicle = useItem(device.vehicle);
  if (!chosen) return undefined;
  // A code that gives nothing is not part of what the person agrees to: the total on screen is without it.
  const idle = Boolean(quote?.promoReason);
  return {
    cart: idle ? { ...cart, promo: { ...cart.promo, code: "" } } : cart,
    payment: { type: chosen.type, paymentMethodId: chosen.paymentMethodId },
    vehicle: cart.pickup === "curbside" ? formatVehicle(vehicle) : "",
    pickupName: session?.firstName ?? "",
  };
}

interface Moved {
  before: Quote;
  after: Quote;
  open: boolean;
}

/** Few orders meet it, so it comes while the order is being placed. */
const movedSheet = deferModule(() => import("@/features/checkout/QuoteChangedSheet"));

function QuoteChangedSheet(props: { moved: Moved; onClose: () => void; onAccept: () => void }): ReactNode {
  const { moved, ...decide } = props;
  const sheet = movedSheet.use();
  return sheet && <sheet.QuoteChangedSheet {...moved} {...decide} />;
}

/** Pressing the button, and where each outcome leads. */
function usePlacement(onLeave: () => void) {
  const placing = usePlaceOrder();
  const router = useRouter();
  const leave = useAfterPlacing(onLeave);
  const [outcome, setOutcome] = useState<Outcome>();
  const [moved, setMoved] = useState<Moved>();
  const run = (decision: Decision, quote: Quote) => {
    setOutcome(undefined);
    void movedSheet.load();
    placing.mutate(
      { decision, quote },
      {
        onSuccess: (ended) => {
          setOutcome(ended);
          if (ended.kind === "placed") return leave(ended.order, decision);
          if (ended.kind === "moved" && ended.quote)
            setMoved({ before: quote, after: ended.quote, open: true });
          if (ended.kind === "refused" && ended.error.reason === "SLOT_UNAVAILABLE") change({ schedule: "" });
          if (ended.kind !== "unknown") return;
          if (isUnauthorized(ended.error)) {
            return router.navigate({ to: "/sign-in/getting-started", search: { next: "/checkout" } });
          }
          if (!isExpected(ended.error)) report(ended.error);
        },
      },
    );
  };
  return {
    run,
    outcome,
    moved,
    closeMoved: () => setMoved((now) => now && { ...now, open: false }),
    busy: placing.isPending,
  };
}

/** What the device keeps of a placed order; the cart is given up only now. */
function useAfterPlacing(onLeave: () => void) {
  const { queryClient } = Route.useRouteContext();
  const navigate = Route.useNavigate();
  return async (order: Order, { cart, payment }: Decision) => {
    onLeave();
    device.lastOrder.set({
      orderId: order.orderId,
      ts: order.placedAt ?? order.createdAt ?? new Date().toISOString(),
      storeName: order.storeName,
    });
    device.preferredPaymentMethod.set(payment.paymentMethodId);
    device.checkout.clear();
    queryClient.setQueryData(orderQuery(order.orderId).queryKey, order);
    for (const queryKey of [["orders"], ["payment-methods"], ["wallet"]]) {
      void queryClient.invalidateQueries({ queryKey });
    }
    await navigate({ to: "/orders/$orderId", params: { orderId: order.orderId }, replace: true });
    cartItem.clear();
    await clearSavedCart(cart);
    void queryClient.invalidateQueries({ queryKey: ["user-cart"] });
  };
}

const askVehicle = () => {
  void modals.load("vehicle", () => import("@/features/vehicle/VehicleSheet"), {});
};

function AddMore({ storeId }: { storeId: string }): ReactNode {
  return (
    <Link
      to="/store/$storeId/menu"
      params={{ storeId }}
      aria-label="Add more items"
      className="grid size-target place-items-center rounded-full"
    >
      <Plus aria-hidden="true" size={24} strokeWidth={1.75} />
    </Link>
  );
}
