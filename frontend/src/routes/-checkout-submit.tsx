import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type AnyRouter, useRouter } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { isExpected, isUnauthorized } from "@/api/errors";
import { clearSavedCart } from "@/features/cart/save-cart";
import { isOutcomeUnknown, type OrderDraft } from "@/features/checkout/attempt";
import { formatMissedOutcome } from "@/features/checkout/format-outcome";
import type { Outcome } from "@/features/checkout/place-order";
import { checkoutKeys, type Quote } from "@/features/checkout/queries";
import { usePlaceOrder } from "@/features/checkout/use-place-order";
import { failedPaymentsQuery } from "@/features/failed-payments/queries";
import { type Order, orderQuery } from "@/features/orders/queries";
import { isWallet } from "@/features/payment-methods/device-wallet";
import type { PaymentMethod } from "@/features/payment-methods/queries";
import type { Split } from "@/features/payment-methods/split";
import { deferModule } from "@/lib/defer-module";
import { useIsMounted } from "@/lib/use-is-mounted";
import { formatVehicle } from "@/lib/vehicle";
import type { DeviceWallet } from "@/provider/device-wallet";
import { handleEndedSession, handleMutationError } from "@/shell/error-handlers";
import { report } from "@/shell/error-reports";
import { showMissedError } from "@/shell/missed-purchase";
import { cartKeys, offerKeys, orderKeys, paymentMethodKeys, walletKeys } from "@/shell/queries";
import { useSession } from "@/shell/session";
import { type Cart, cartItem } from "@/state/cart";
import { toContractCart } from "@/state/contract-cart";
import { device } from "@/state/device";
import { useItem } from "@/state/device-item";
import { findOtherLines, removeOrderedLines, renewCart, storeLastOrder } from "@/state/ordered-cart";
import { toast } from "@/ui/toast";

/** Returns what the consumer selected, or undefined without a payment method. */
export function useOrderDraft(
  cart: Cart,
  quote: Quote | undefined,
  { selected, split }: { selected: PaymentMethod | undefined; split: Split | undefined },
): OrderDraft | undefined {
  const session = useSession();
  const vehicle = useItem(device.vehicle);
  const method = split?.rest ?? selected;
  if (!method) return undefined;
  // The displayed total excludes a rejected promo code, so the order excludes it as well.
  const isPromoRejected = Boolean(quote?.promoReason);
  return {
    cart: isPromoRejected ? { ...cart, promo: { ...cart.promo, code: "" } } : cart,
    // A wallet creates a method for each payment.
    payment: { type: method.type, paymentMethodId: isWallet(method) ? "" : method.paymentMethodId },
    ...(split && { storedValue: split.storedValue }),
    vehicle: cart.pickup === "curbside" ? formatVehicle(vehicle) : "",
    pickupName: session?.firstName ?? "",
  };
}

interface QuoteChange {
  before: Quote;
  after: Quote;
  open: boolean;
}

/** Rarely needed, so it loads while the order is being placed. */
const quoteChangedSheet = deferModule(() => import("@/features/checkout/QuoteChangedSheet"));

interface QuoteChangeSheetProps {
  change: QuoteChange;
  onClose: () => void;
  onAccept: () => void;
}

export function QuoteChangeSheet({ change, ...handlers }: QuoteChangeSheetProps): ReactNode {
  const module = quoteChangedSheet.use();
  return module && <module.QuoteChangedSheet {...change} {...handlers} />;
}

/** The selected time is taken or has passed, or the store closed. */
const TIME_REASONS: ReadonlySet<string> = new Set([
  "SLOT_UNAVAILABLE",
  "PICKUP_TIME_INVALID",
  "STORE_CLOSED",
  "STORE_PAUSED",
]);

/**
 * Places the order and handles each outcome. `onLeave` is called before the screen navigates to the order. An order with Apple Pay
 * or Google Pay opens the payment sheet first.
 */
export function useSubmitOrder(payWithWallet: DeviceWallet["pay"], onLeave: () => void) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const finish = useFinishOrder(onLeave);
  // The modal "We have a problem" fetches and updates it.
  const { data: failedPayments, dataUpdatedAt } = useQuery({ ...failedPaymentsQuery, enabled: false });
  const [isConfirming, setConfirming] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const [outcomeAt, setOutcomeAt] = useState(0);
  const [quoteChange, setQuoteChange] = useState<QuoteChange>();
  const isMounted = useIsMounted();
  const placeOrder = usePlaceOrder((result, { draft, quote }) => {
    setOutcome(result);
    setOutcomeAt(Date.now());
    if (result.kind === "placed") {
      if (result.isRepeated) toast(formatRepeated(result.order, draft));
      else if (!isCartScreen(router.latestLocation.pathname)) toast("Order placed", "success");
      return void finish(result.order, draft);
    }
    if (!isMounted.current && !isSessionEnded(result)) showMissedOutcome(router, result);
    if (result.kind === "authentication_pending" && isMounted.current) {
      const { orderId } = result.order;
      return void router.navigate({ to: "/orders/$orderId", params: { orderId } });
    }
    if (result.kind === "order_ended") {
      cartItem.set((cart) => (cart.cartId === draft.cart.cartId ? renewCart(cart) : cart));
    }
    if (result.kind === "quote_changed" && result.quote) {
      setQuoteChange({ before: quote, after: result.quote, open: true });
    }
    if (result.kind === "rejected" && TIME_REASONS.has(result.error.reason)) {
      const { cartId } = draft.cart;
      cartItem.set((cart) => (cart.cartId === cartId ? { ...cart, schedule: "" } : cart));
      void queryClient.invalidateQueries({ queryKey: checkoutKeys.cartOptions });
      void queryClient.invalidateQueries({ queryKey: checkoutKeys.quotes });
    }
    if (result.kind !== "unknown") return;
    if (isSessionEnded(result)) return handleEndedSession(router, queryClient);
    if (!isExpected(result.error)) report(result.error);
  });
  const place = (draft: OrderDraft, quote: Quote) => {
    setOutcome(undefined);
    void quoteChangedSheet.load();
    placeOrder.mutate({ draft, quote });
  };
  const submit = async (draft: OrderDraft, quote: Quote) => {
    // A repeated attempt sends the payment of the first one.
    if (!isWallet(draft.payment) || isOutcomeUnknown(draft)) return place(draft, quote);
    setConfirming(true);
    try {
      const stored = draft.storedValue?.amount.currencyAmount ?? 0;
      const total = { label: draft.cart.storeName, amount: quote.total.currencyAmount - stored };
      const walletPaymentMethodId = await payWithWallet(total);
      if (walletPaymentMethodId === null) return;
      place({ ...draft, payment: { ...draft.payment, walletPaymentMethodId } }, quote);
    } catch (error) {
      handleMutationError(error, router, queryClient);
    } finally {
      setConfirming(false);
    }
  };
  const arePaymentsUpdated =
    outcome?.kind === "rejected" &&
    outcome.error.reason === "FAILED_ACH_PAYMENTS" &&
    failedPayments?.list.length === 0 &&
    dataUpdatedAt > outcomeAt;
  return {
    submit,
    outcome: arePaymentsUpdated ? undefined : outcome,
    quoteChange,
    closeQuoteChange: () => setQuoteChange((change) => change && { ...change, open: false }),
    isPending: placeOrder.isPending || isConfirming,
  };
}

/** Leads to where the consumer can pay, or place the order. */
function showMissedOutcome(router: AnyRouter, outcome: Outcome): void {
  const [label, href] =
    outcome.kind === "authentication_pending"
      ? ["View order", `/orders/${encodeURIComponent(outcome.order.orderId)}`]
      : ["Back to checkout", "/checkout"];
  showMissedError(router, formatMissedOutcome(outcome), label, href);
}

function formatRepeated({ lines }: Order, draft: OrderDraft): string {
  const isPart = cartItem.get().cartId === draft.cart.cartId && findOtherLines(lines).length > 0;
  return `You already placed this order.${isPart ? " The other items are still in your cart." : ""}`;
}

const isSessionEnded = (outcome: Outcome): boolean =>
  outcome.kind === "unknown" && isUnauthorized(outcome.error);

/** The screens of the cart, which show nothing once it is cleared. */
const isCartScreen = (pathname: string): boolean => pathname === "/checkout" || pathname === "/cart";

/**
 * Stores the placed order on the device, navigates to it unless the consumer left for another screen, and only then clears the cart.
 */
function useFinishOrder(onLeave: () => void) {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async (order: Order, { cart, payment }: OrderDraft) => {
    onLeave();
    storeLastOrder(order, cart.cartId);
    if (payment.paymentMethodId) device.preferredPaymentMethod.set(payment.paymentMethodId);
    queryClient.setQueryData(orderQuery(order.orderId).queryKey, order);
    for (const queryKey of [orderKeys.all, paymentMethodKeys.all, walletKeys.all, offerKeys.all]) {
      void queryClient.invalidateQueries({ queryKey });
    }
    if (isCartScreen(router.latestLocation.pathname)) {
      await router.navigate({ to: "/orders/$orderId", params: { orderId: order.orderId }, replace: true });
    }
    if (cartItem.get().cartId !== cart.cartId) return;
    // The order of an earlier attempt may have fewer lines than this draft.
    if (!removeOrderedLines(order.lines)) return;
    await clearSavedCart(toContractCart(cart));
    void queryClient.invalidateQueries({ queryKey: cartKeys.saved });
  };
}
