import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { PostBody } from "@/api/contract";
import { chooseMethod } from "@/features/payment-methods/choose-method";
import { isWallet, useDeviceWallet, walletMethods } from "@/features/payment-methods/device-wallet";
import { PaymentSelector } from "@/features/payment-methods/PaymentSelector";
import { type PaymentMethod, paymentMethodsQuery } from "@/features/payment-methods/queries";
import { useSession } from "@/shell/session";
import { addedMethod } from "@/state/added-method";
import { device } from "@/state/device";
import { Button } from "@/ui/Button";
import { SkeletonBlock } from "@/ui/Skeleton";

type Payment = PostBody<"/gift-card">["payment"];

interface Options {
  /** The method that the consumer selected. */
  paymentMethodId: string | null;
  /** Only methods that can be charged again later: no Apple Pay and no Google Pay. */
  savedOnly?: boolean;
}

/** The payment methods for stored value: all but stored value, and the selected one. */
export function usePurchasePayment({ paymentMethodId, savedOnly = false }: Options) {
  const { data, isError, refetch } = useQuery(paymentMethodsQuery({ excludeJoebucks: true }));
  const wallet = useDeviceWallet();
  const methods = data && [...data, ...(savedOnly ? [] : walletMethods(wallet))];
  const selected =
    methods &&
    chooseMethod(
      methods.filter(({ expired }) => !expired),
      {
        explicitId: paymentMethodId ?? addedMethod.get() ?? undefined,
        lastId: device.preferredPaymentMethod.get() ?? undefined,
      },
    );
  /** Resolves to the payment of the request; opens Apple Pay or Google Pay first, and resolves to null if it is canceled. */
  const confirm = async (amount: number, label: string): Promise<Payment | null> => {
    if (!selected) return null;
    const { type } = selected;
    if (!isWallet(selected)) return { type, paymentMethodId: selected.paymentMethodId };
    const walletPaymentMethodId = await wallet?.pay({ label, amount });
    if (!walletPaymentMethodId) return null;
    return { type, paymentMethodId: selected.paymentMethodId, walletPaymentMethodId };
  };
  return { methods, selected, confirm, isError, reload: () => void refetch() };
}

interface PurchasePaymentProps {
  payment: Pick<ReturnType<typeof usePurchasePayment>, "methods" | "selected" | "isError" | "reload">;
  onChange: (method: PaymentMethod) => void;
  /** The path to return to after adding a method. */
  next: string;
  error: string | undefined;
}

export function PurchasePayment({ payment, onChange, next, error }: PurchasePaymentProps): ReactNode {
  const session = useSession();
  const { methods, selected, isError, reload } = payment;
  return (
    <section className="grid gap-2.5">
      <h2 className="t-heading">Pay with</h2>
      {methods ? (
        <PaymentSelector
          methods={methods}
          value={selected}
          userId={session?.id ?? ""}
          next={next}
          error={error}
          onChange={onChange}
        />
      ) : isError ? (
        <Button variant="soft" onClick={reload}>
          Reload payment methods
        </Button>
      ) : (
        <SkeletonBlock className="h-16" />
      )}
      {selected?.type === "bank" && (
        <p className="t-small text-ink-2">
          Your bank takes a few days. The money shows as pending until then.
        </p>
      )}
    </section>
  );
}
