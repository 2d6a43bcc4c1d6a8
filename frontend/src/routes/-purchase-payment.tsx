import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { PostBody } from "@/api/contract";
import { chooseMethod } from "@/features/payment-methods/choose-method";
import { isWallet, useDeviceWallet, walletMethods } from "@/features/payment-methods/device-wallet";
import { PaymentSelector } from "@/features/payment-methods/PaymentSelector";
import { type PaymentMethod, paymentMethodsQuery } from "@/features/payment-methods/queries";
import { handleMutationError } from "@/shell/error-handlers";
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
  const queryClient = useQueryClient();
  const router = useRouter();
  const wallet = useDeviceWallet();
  const [isConfirming, setConfirming] = useState(false);
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
  /**
   * Calls `send` with the payment of the request. Opens Apple Pay or Google Pay first: `isConfirming` is true until the consumer has
   * confirmed or canceled it.
   */
  const confirm = async (amount: number, label: string, send: (payment: Payment) => void): Promise<void> => {
    if (!selected) return;
    const { type, paymentMethodId } = selected;
    if (!isWallet(selected)) return send({ type, paymentMethodId });
    setConfirming(true);
    try {
      const walletPaymentMethodId = await wallet?.pay({ label, amount });
      if (walletPaymentMethodId) send({ type, paymentMethodId, walletPaymentMethodId });
    } catch (error) {
      handleMutationError(error, router, queryClient);
    } finally {
      setConfirming(false);
    }
  };
  return { methods, selected, confirm, isConfirming, isError, reload: () => void refetch() };
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

interface PurchaseFieldsProps {
  isLocked: boolean;
  children: ReactNode;
}

/** Locked during the payment and while its outcome is unknown: a changed request would get a new idempotency key and be charged again. */
export function PurchaseFields({ isLocked, children }: PurchaseFieldsProps): ReactNode {
  return (
    <fieldset disabled={isLocked} className="contents">
      {children}
    </fieldset>
  );
}
