import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useRef, useState, useSyncExternalStore } from "react";
import type { CartOptions } from "@/features/checkout/queries";
import { canPay, chooseMethod } from "@/features/payment-methods/choose-method";
import { useDeviceWallet, walletMethods } from "@/features/payment-methods/device-wallet";
import { formatMethodName, formatShortfall } from "@/features/payment-methods/format";
import { PaymentSelector } from "@/features/payment-methods/PaymentSelector";
import { type PaymentMethod, paymentMethodsQuery } from "@/features/payment-methods/queries";
import { canPayRest, type Split, splitTotal } from "@/features/payment-methods/split";
import { formatMoney, type Money } from "@/lib/money";
import type { DeviceWallet } from "@/provider/device-wallet";
import { useSession } from "@/shell/session";
import { device } from "@/state/device";
import { useItem } from "@/state/device-item";
import { type SelectedCard, selectedCard } from "@/state/selected-card";
import { Button } from "@/ui/Button";
import { SkeletonBlock } from "@/ui/Skeleton";

interface PaymentState {
  storeId: string;
  methods: readonly PaymentMethod[] | undefined;
  /** The method that the consumer selected, or the default one. */
  selected: PaymentMethod | undefined;
  error: string | undefined;
  /** How a balance below the total and a card share it. */
  split: Split | undefined;
  /** The methods that can pay the rest. */
  restMethods: readonly PaymentMethod[];
  /** Returns whether the selected methods can pay the total. If not, shows why at the selector and scrolls to it. */
  validate: () => boolean;
  /** Returns whether the consumer has no method that can pay the total. */
  isMethodMissing: boolean;
  section: RefObject<HTMLElement | null>;
  isLoadError: boolean;
  reload: () => void;
  /** Opens Apple Pay or Google Pay. Resolves to null if the consumer cancels. */
  payWithWallet: DeviceWallet["pay"];
}

/** The payment methods that the store accepts, and the selected one. All methods until the types of the store are loaded. */
export function useCheckoutPayment(
  storeId: string,
  options: CartOptions | undefined,
  total: Money | undefined,
): PaymentState {
  const { data, isError, refetch } = useQuery(paymentMethodsQuery({ storeId }));
  const wallet = useDeviceWallet();
  const all = data && [...data, ...walletMethods(wallet)];
  const methods = options ? all?.filter(({ type }) => options.paymentTypes.includes(type)) : all;
  const checkout = useItem(device.checkout);
  const card = useSyncExternalStore(selectedCard.subscribe, selectedCard.get);
  const [rejected, setRejected] = useState<{ methodId: string | undefined }>();
  const selected =
    methods &&
    chooseMethod(
      methods.filter(({ expired }) => !expired),
      {
        explicitId: checkout?.paymentId ?? (card && isSelectedFor(card, storeId) ? card.cardId : undefined),
        lastId: device.preferredPaymentMethod.get() ?? undefined,
      },
    );
  const section = useRef<HTMLElement>(null);
  const restMethods = methods?.filter(canPayRest) ?? [];
  const rest = chooseMethod(restMethods, {
    explicitId: checkout?.restPaymentId,
    lastId: device.preferredPaymentMethod.get() ?? undefined,
  });
  const split =
    selected && total && options && splitTotal(selected, rest, total, options.limits.minCardAmount);
  const shortfall = selected && total && !split ? formatShortfall(selected, total) : undefined;
  const problem = selected ? shortfall : "Payment method is required";
  const validate = () => {
    setRejected({ methodId: selected?.paymentMethodId });
    if (!problem) return true;
    // The selector may be outside of the viewport.
    section.current?.scrollIntoView?.({ block: "center" });
    section.current?.querySelector("button")?.focus({ preventScroll: true });
    return false;
  };
  return {
    storeId,
    methods,
    selected,
    split,
    restMethods,
    // An error applies to one method only, and ends when a discount makes the total lower than the balance.
    error: (rejected && rejected.methodId === selected?.paymentMethodId) || !selected ? problem : undefined,
    validate,
    isMethodMissing: Boolean(methods && total && !methods.some((method) => canPay(method, total))),
    section,
    isLoadError: isError,
    reload: () => void refetch(),
    payWithWallet: async (total) => (await wallet?.pay(total)) ?? null,
  };
}

export function CheckoutPayment({ payment, total }: { payment: PaymentState; total: Money | undefined }) {
  return (
    <section ref={payment.section} className="pt-4.5">
      <h2 className="t-heading mb-2.5">Pay with</h2>
      <Selector payment={payment} total={total} />
      {payment.split && <RestSelector payment={payment} split={payment.split} />}
    </section>
  );
}

function Selector({ payment, total }: { payment: PaymentState; total: Money | undefined }): ReactNode {
  const session = useSession();
  if (payment.methods) {
    return (
      <PaymentSelector
        methods={payment.methods}
        value={payment.selected}
        total={total}
        userId={session?.id ?? ""}
        next="/checkout"
        error={payment.error}
        onChange={({ paymentMethodId, type, companyId }) => {
          device.checkout.set({ paymentId: paymentMethodId, paymentType: type });
          selectedCard.set(
            type === "joebucks" ? { cardId: paymentMethodId, storeId: payment.storeId, companyId } : null,
          );
        }}
      />
    );
  }
  if (payment.isLoadError) {
    return (
      <Button variant="soft" onClick={payment.reload}>
        Reload payment methods
      </Button>
    );
  }
  return <SkeletonBlock className="h-16" />;
}

/** Selects the card for the part of the total that the balance does not cover. */
function RestSelector({ payment, split }: { payment: PaymentState; split: Split }): ReactNode {
  const session = useSession();
  return (
    <div className="pt-3">
      <h3 className="t-small mb-2 text-ink-2">
        <span className="num">{formatMoney(split.storedValue.amount)}</span> from{" "}
        {formatMethodName(split.balance)}, and <span className="num">{formatMoney(split.restAmount)}</span>{" "}
        with
      </h3>
      <PaymentSelector
        title="Pay the rest with"
        methods={payment.restMethods}
        value={split.rest}
        adds="card"
        userId={session?.id ?? ""}
        next="/checkout"
        onChange={({ paymentMethodId }) =>
          device.checkout.set({
            paymentId: split.balance.paymentMethodId,
            paymentType: split.balance.type,
            restPaymentId: paymentMethodId,
          })
        }
      />
    </div>
  );
}

/** Returns whether the card was selected for this store, or for any. */
const isSelectedFor = (card: SelectedCard, storeId: string): boolean =>
  card.storeId === null || card.storeId === storeId;
