import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { GetData } from "@/api/contract";
import { FailedPaymentsModal } from "@/features/failed-payments/FailedPaymentsModal";
import { owedFor } from "@/features/failed-payments/format";
import { type FailedPayment, failedPaymentsQuery } from "@/features/failed-payments/queries";
import { type Payer, useUpdateFailedPayments } from "@/features/failed-payments/use-update-failed-payments";
import { chooseMethod } from "@/features/payment-methods/choose-method";
import { isWallet, useDeviceWallet, walletMethods } from "@/features/payment-methods/device-wallet";
import { PaymentSelector } from "@/features/payment-methods/PaymentSelector";
import { type PaymentMethod, paymentMethodsQuery } from "@/features/payment-methods/queries";
import type { DeviceWallet } from "@/provider/device-wallet";
import { handleUnexpectedError } from "@/shell/error-handlers";
import { modals, useModal } from "@/shell/modals";
import { walletKeys } from "@/shell/queries";
import { useSession } from "@/shell/session";
import { toast } from "@/ui/toast";

const MODAL_ID = "failed-payments";

/** Two calls that fail at the same time open one modal. */
let opening: Promise<boolean> | undefined;

/**
 * Fetches what is owed and the cards that can pay it, and opens "We have a problem". Resolves to false if nothing is owed, and
 * rejects if either fetch fails.
 */
export function openFailedPaymentsModal(queryClient: QueryClient): Promise<boolean> {
  opening ??= open(queryClient).finally(() => {
    opening = undefined;
  });
  return opening;
}

async function open(queryClient: QueryClient): Promise<boolean> {
  if (modals.isOpen(MODAL_ID)) return true;
  const [failed, methods] = await Promise.all([
    queryClient.fetchQuery(failedPaymentsQuery),
    queryClient.fetchQuery({ ...paymentMethodsQuery({ type: "external" }), staleTime: 0, retry: false }),
  ]);
  if (failed.list.length === 0) return false;
  // Bank accounts are excluded; a balance is never external.
  const cards = methods.filter(({ type, expired }) => type === "card" && !expired);
  modals.open(MODAL_ID, <FailedPayments failed={failed} cards={cards} />);
  return true;
}

interface FailedPaymentsProps {
  failed: GetData<"/payment/failed-payments">;
  cards: readonly PaymentMethod[];
}

function FailedPayments({ failed: initialData, cards }: FailedPaymentsProps): ReactNode {
  const modal = useModal();
  const { data: failed } = useQuery({
    ...failedPaymentsQuery,
    initialData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isEmpty = failed.list.length === 0;
  useEffect(() => {
    if (isEmpty) modal?.close();
  }, [isEmpty, modal]);
  const session = useSession();
  const router = useRouter();
  const wallet = useDeviceWallet();
  const methods = [...cards, ...walletMethods(wallet)];
  const [selectedId, setSelectedId] = useState<string>();
  const [error, setError] = useState<string>();
  const selected = chooseMethod(methods, { explicitId: selectedId });
  const { paying, pay } = usePayment(session?.id ?? "", wallet);
  const submit = (payments: readonly FailedPayment[]) => {
    if (!selected) return setError("Payment method is required");
    if (!navigator.onLine) return toast("You're offline. Try again once you're connected.", "error");
    setError(undefined);
    void pay(payments, selected);
  };
  const paysAll = failed.list.length > 1 && !(selected && isWallet(selected));
  return (
    <FailedPaymentsModal
      payments={failed.list}
      totalOwed={failed.totalOwed}
      paying={paying}
      onPay={(payment) => submit([payment])}
      onPayAll={paysAll ? () => submit(failed.list) : undefined}
      selector={
        <PaymentSelector
          methods={methods}
          value={selected}
          adds="card"
          userId={session?.id ?? ""}
          next={router.state.location.href}
          error={error}
          onChange={(method) => {
            setSelectedId(method.paymentMethodId);
            setError(undefined);
          }}
          onLeave={() => modal?.close()}
        />
      }
    />
  );
}

/** Pays with the selected method. A second payment is ignored while one is in flight. */
function usePayment(userId: string, wallet: DeviceWallet | undefined) {
  const modal = useModal();
  const router = useRouter();
  const queryClient = useQueryClient();
  const update = useUpdateFailedPayments();
  const inFlight = useRef(false);
  const [paying, setPaying] = useState<readonly string[]>();
  const pay = async (payments: readonly FailedPayment[], method: PaymentMethod) => {
    if (inFlight.current) return;
    inFlight.current = true;
    const paymentIntentIds = payments.map(({ paymentIntentId }) => paymentIntentId);
    setPaying(paymentIntentIds);
    try {
      const payer = await choosePayer(method, payments, wallet);
      // The consumer canceled Apple Pay or Google Pay.
      if (!payer) return;
      const errors = await update.mutateAsync({ ...payer, userId, paymentIntentIds });
      if (errors.length > 0) {
        // Some of several payments may be paid.
        void queryClient.invalidateQueries(failedPaymentsQuery);
        return toast(errors.join(", "), "error");
      }
      toast("Thank you for updating the payments", "success");
      modal?.close();
      removePaid(queryClient, payments);
      void queryClient.invalidateQueries({ queryKey: walletKeys.all });
    } catch (error) {
      handleUnexpectedError(error, router, queryClient);
    } finally {
      inFlight.current = false;
      setPaying(undefined);
    }
  };
  return { paying, pay };
}

/** Marks payments as paid in the cache, so that the screen behind the modal shows that its order was paid later. */
function removePaid(queryClient: QueryClient, payments: readonly FailedPayment[]): void {
  // An older response would bring them back.
  void queryClient.cancelQueries(failedPaymentsQuery, { revert: false });
  const paidIds = new Set(payments.map(({ paymentIntentId }) => paymentIntentId));
  queryClient.setQueryData(
    failedPaymentsQuery.queryKey,
    (failed) =>
      failed && {
        list: failed.list.filter(({ paymentIntentId }) => !paidIds.has(paymentIntentId)),
        totalOwed: failed.totalOwed - sumOwed(payments),
        recoveredOrderIds: [...failed.recoveredOrderIds, ...payments.flatMap(({ orderId }) => orderId ?? [])],
      },
  );
}

const sumOwed = (payments: readonly FailedPayment[]): number =>
  payments.reduce((total, payment) => total + owedFor(payment).currencyAmount, 0);

/** Returns the method of the request: the saved card, or the one that the wallet created for this payment. */
async function choosePayer(
  { type, paymentMethodId }: PaymentMethod,
  payments: readonly FailedPayment[],
  wallet: DeviceWallet | undefined,
): Promise<Payer | undefined> {
  if (!isWallet({ type })) return { paymentMethodId, paymentMethodType: type };
  const walletId = (await wallet?.pay({ label: "Order Ahead", amount: sumOwed(payments) })) ?? undefined;
  return walletId === undefined ? undefined : { paymentMethodId: walletId, paymentMethodType: type };
}
