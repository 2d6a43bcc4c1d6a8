import { useQuery } from "@tanstack/react-query";
import { createFileRoute, Link, Navigate } from "@tanstack/react-router";
import Plus from "lucide-react/icons/plus";
import { type ReactNode, useRef, useState } from "react";
import { CartLines } from "@/features/cart/CartLines";
import { isOutcomeUnknown } from "@/features/checkout/attempt";
import { CheckoutBar } from "@/features/checkout/CheckoutBar";
import { CheckoutPickup } from "@/features/checkout/CheckoutPickup";
import { CheckoutSummary } from "@/features/checkout/CheckoutSummary";
import { OrderedElsewhere } from "@/features/checkout/OrderedElsewhere";
import { OutcomeNotice } from "@/features/checkout/OutcomeNotice";
import { openPickupTimes } from "@/features/checkout/open-pickup-times";
import { QuoteError } from "@/features/checkout/QuoteError";
import { type CartOptions, cartOptionsQuery, type Quote, quoteQuery } from "@/features/checkout/queries";
import { FindStoreLink } from "@/features/checkout/StoreProblemNotice";
import { findStoreProblem, isStoreUnavailable } from "@/features/checkout/store-problem";
import { TipPicker } from "@/features/checkout/TipPicker";
import { useOrderedElsewhere } from "@/features/checkout/use-ordered-elsewhere";
import { paymentMethodsQuery } from "@/features/payment-methods/queries";
import { Header } from "@/shell/Header";
import { modals } from "@/shell/modals";
import { Page } from "@/shell/Page";
import { requireSession, useSession } from "@/shell/session";
import { type Cart, cartItem, sumPrices } from "@/state/cart";
import { device } from "@/state/device";
import { useItem } from "@/state/device-item";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";
import { SkeletonBlock } from "@/ui/Skeleton";
import { CheckoutPayment, useCheckoutPayment } from "./-checkout-payment";
import { QuoteChangeSheet, useOrderDraft, useSubmitOrder } from "./-checkout-submit";
import { useLiveCart } from "./-live-cart";

export const Route = createFileRoute("/checkout")({
  beforeLoad: requireSession,
  loader: ({ context: { queryClient } }) => {
    const cart = cartItem.get();
    if (cart.items.length === 0) return;
    void queryClient.prefetchQuery(quoteQuery(cart));
    void queryClient.prefetchQuery(paymentMethodsQuery({ storeId: cart.storeId }));
  },
  component: CheckoutScreen,
});

const updateCart = (changes: Partial<Cart>) => cartItem.set((cart) => ({ ...cart, ...changes }));
const setTip = (tipAmount: number) => updateCart({ tipAmount });

function CheckoutScreen(): ReactNode {
  const cart = useItem(cartItem);
  // The cart is cleared while the screen navigates to the order.
  const [isLeaving, setLeaving] = useState(false);
  const orderId = useOrderedElsewhere(cart);
  if (cart.items.length === 0 && !isLeaving) {
    return orderId ? <OrderedElsewhere orderId={orderId} /> : <Navigate to="/cart" replace />;
  }
  return <Checkout cart={cart} onLeave={() => setLeaving(true)} />;
}

function Checkout({ cart, onLeave }: { cart: Cart; onLeave: () => void }): ReactNode {
  useLiveCart(cart.storeId);
  const quoteResult = useQuery(quoteQuery(cart));
  const { data: quote, isPlaceholderData } = quoteResult;
  const foundProblem = findStoreProblem(quote);
  // The previous problem may not apply to the time that was chosen since.
  const problem = isPlaceholderData ? undefined : foundProblem;
  const isUnavailable = isStoreUnavailable(quoteResult.error);
  const optionsResult = useQuery(cartOptionsQuery(cart.storeId, quote?.makeSeconds));
  const { data: options } = optionsResult;
  const payment = useCheckoutPayment(cart.storeId, options, quote?.total);
  const session = useSession();
  const tipField = useRef<HTMLInputElement>(null);
  const [isTipValid, setTipValid] = useState(true);
  const order = useSubmitOrder(payment.payWithWallet, onLeave);
  const draft = useOrderDraft(cart, quote, payment);
  const isRetry = Boolean(draft && isOutcomeUnknown(draft));
  const submit = (acceptedQuote: Quote | undefined) => {
    if (!isTipValid) return showField(tipField.current);
    // The first attempt may hold the balance that pays for it.
    if (!isRetry && !payment.validate()) return;
    if (cart.pickup === "curbside" && device.vehicle.get() === null) return openVehicleSheet();
    if (draft && acceptedQuote) void order.submit(draft, acceptedQuote);
  };
  const { quoteChange } = order;
  return (
    <Page
      header={
        <Header title="Checkout" up={{ to: "/cart" }} actions={<AddItemsLink storeId={cart.storeId} />} />
      }
      bar={
        <CheckoutBar
          quote={quote}
          stale={isPlaceholderData}
          busy={order.isPending}
          onPlace={() => submit(quote)}
          notice={<OutcomeNotice outcome={order.outcome} />}
          isRetry={isRetry}
          addMethod={payment.isMethodMissing && <AddCardLink userId={session?.id} />}
          storeAction={
            isUnavailable ? (
              <FindStoreLink variant="solid" />
            ) : (
              problem && <StoreAction cart={cart} pickup={options?.pickup} onChange={updateCart} />
            )
          }
        />
      }
    >
      <div className="px-gutter">
        <CheckoutPickup
          cart={cart}
          quote={foundProblem ? undefined : quote}
          problem={problem}
          error={
            quoteResult.error && (
              <QuoteError
                error={quoteResult.error}
                busy={quoteResult.isFetching}
                onRetry={() => void quoteResult.refetch()}
              />
            )
          }
          options={options?.pickup}
          onReload={optionsResult.isError ? () => void optionsResult.refetch() : undefined}
          onChange={updateCart}
          onVehicle={openVehicleSheet}
        />
        <section aria-label="Your items" className="pt-2.5">
          <CartLines items={cart.items} priced={isPlaceholderData ? undefined : quote} />
        </section>
        {options && (quote || quoteResult.isError) ? (
          <TipPicker
            options={options.tip}
            subtotal={quote?.subtotal.currencyAmount ?? sumPrices(cart.items)}
            isFinal={quoteResult.isSuccess && !quoteResult.isFetching}
            value={cart.tipAmount}
            onChange={setTip}
            onValidity={setTipValid}
            field={tipField}
          />
        ) : (
          !optionsResult.isError && <SkeletonBlock className="mt-4.5 h-22" />
        )}
        <CheckoutPayment payment={payment} total={quote?.total} />
        <CheckoutSummary
          cart={cart}
          quote={quote}
          busy={isPlaceholderData}
          failed={quoteResult.isError}
          onPromo={(code) => updateCart({ promo: { ...cart.promo, code } })}
        />
      </div>
      {quoteChange && (
        <QuoteChangeSheet
          change={quoteChange}
          onClose={order.closeQuoteChange}
          onAccept={() => {
            order.closeQuoteChange();
            submit(quoteChange.after);
          }}
        />
      )}
    </Page>
  );
}

interface StoreActionProps {
  cart: Cart;
  pickup: CartOptions["pickup"] | undefined;
  onChange: (changes: Partial<Cart>) => void;
}

/** Chooses a later pickup time; another store if this one has none. Disabled until the times are known. */
function StoreAction({ cart, pickup, onChange }: StoreActionProps): ReactNode {
  if (!pickup) {
    return (
      <Button big disabled>
        Choose a pickup time
      </Button>
    );
  }
  const { slots, timeZone: zone } = pickup;
  if (slots.length === 0) return <FindStoreLink variant="solid" />;
  const choose = () =>
    openPickupTimes({ slots, zone, value: cart.schedule, onChange: (schedule) => onChange({ schedule }) });
  return (
    <Button big onClick={choose}>
      Choose a pickup time
    </Button>
  );
}

/** Scrolls to a field with an error and focuses it. */
function showField(field: HTMLElement | null): void {
  field?.scrollIntoView({ block: "center" });
  field?.focus({ preventScroll: true });
}

const openVehicleSheet = () => {
  void modals.load("vehicle", () => import("@/features/vehicle/VehicleSheet"), {});
};

function AddCardLink({ userId }: { userId: string | undefined }): ReactNode {
  return (
    <Link
      to="/account/add-credit-card"
      search={{ userId, next: "/checkout" }}
      className={buttonVariants("solid", { big: true })}
    >
      Add a card to pay
    </Link>
  );
}

function AddItemsLink({ storeId }: { storeId: string }): ReactNode {
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
