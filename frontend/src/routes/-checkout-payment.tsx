import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useRef, useState, useSyncExternalStore } from "react";
import { canPay, chooseMethod } from "@/features/payment-methods/choose-method";
import { useDeviceWallet, walletMethods } from "@/features/payment-methods/device-wallet";
import { formatShortfall } from "@/features/payment-methods/format";
import { PaymentSelector } from "@/features/payment-methods/PaymentSelector";
import { type PaymentMethod, paymentMethodsQuery } from "@/features/payment-methods/queries";
import type { Money } from "@/lib/money";
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
  /** Returns whether the selected method can pay the total. If not, shows why at the selector and scrolls to it. */
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
  types: readonly PaymentMethod["type"][] | undefined,
  total: Money | undefined,
): PaymentState {
  const { data, isError, refetch } = useQuery(paymentMethodsQuery({ storeId }));
  const wallet = useDeviceWallet();
  const all = data && [...data, ...walletMethods(wallet)];
  const methods = types ? all?.filter(({ type }) => types.includes(type)) : all;
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
  const problem = selected ? total && formatShortfall(selected, total) : "Payment method is required";
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

/** Returns whether the card was selected for this store, or for any. */
const isSelectedFor = (card: SelectedCard, storeId: string): boolean =>
  card.storeId === null || card.storeId === storeId;
