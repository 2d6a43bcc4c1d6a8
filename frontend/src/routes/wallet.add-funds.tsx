import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { type ReactNode, useRef, useState } from "react";
import { object, string } from "valibot";
import { isUnauthorized } from "@/api/errors";
import { chooseMethod } from "@/features/payment-methods/choose-method";
import { isWallet, useDeviceWallet, walletMethods } from "@/features/payment-methods/device-wallet";
import { PaymentSelector } from "@/features/payment-methods/PaymentSelector";
import type { PaymentMethod } from "@/features/payment-methods/queries";
import { AmountPicker } from "@/features/wallet/AmountPicker";
import { checkAmount, formatAddFundsError, readAmount } from "@/features/wallet/add-funds";
import { addFundsQuery } from "@/features/wallet/queries";
import { useAddFunds } from "@/features/wallet/use-add-funds";
import { cents, formatMoney } from "@/lib/money";
import { searchParam } from "@/lib/search";
import type { DeviceWallet } from "@/provider/device-wallet";
import { isFinal, isOutcomeUnknown } from "@/provider/purchase";
import { Header } from "@/shell/Header";
import { useShowMissedPurchase } from "@/shell/missed-purchase";
import { nextFields } from "@/shell/next";
import { BottomBar, Page } from "@/shell/Page";
import { requireSession, useSession } from "@/shell/session";
import { useGoBack } from "@/shell/use-go-back";
import { addedMethod } from "@/state/added-method";
import { device } from "@/state/device";
import { Button } from "@/ui/Button";
import { Loading, SkeletonBlock } from "@/ui/Skeleton";
import { toast } from "@/ui/toast";
import { PurchaseFields } from "./-purchase-payment";

/** The label of the payment sheet of Apple Pay and Google Pay (specification section 9). */
const SHEET_LABEL = "Add JoePass";

export const Route = createFileRoute("/wallet/add-funds")({
  validateSearch: object({ ...nextFields, balanceId: searchParam(string()) }),
  beforeLoad: requireSession,
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(addFundsQuery);
  },
  component: AddFunds,
  pendingComponent: AddFundsSkeleton,
});

function AddFunds(): ReactNode {
  const { balanceId } = Route.useSearch();
  const { data: options } = useSuspenseQuery(addFundsQuery);
  const session = useSession();
  const wallet = useDeviceWallet();
  const methods = [...options.methods, ...walletMethods(wallet)];
  const [methodId, setMethodId] = useState<string>();
  const method = chooseMethod(
    methods.filter(({ expired }) => !expired),
    {
      explicitId: methodId ?? addedMethod.get() ?? undefined,
      lastId: device.preferredPaymentMethod.get() ?? undefined,
    },
  );
  const [choice, setChoice] = useState(() => String(options.presets[1] ?? options.presets[0] ?? "other"));
  const [other, setOther] = useState("");
  const [isChecked, setChecked] = useState(false);
  const amount = readAmount(choice, other);
  const amountError = checkAmount(amount, method?.type, options);
  const { submit, busy, isLocked, notice } = useSubmit(wallet?.pay);
  return (
    <Page
      header={<Header title="Add funds" up={{ to: "/wallet" }} />}
      bar={
        <BottomBar>
          <Button
            big
            busy={busy}
            busyLabel="Adding funds"
            onClick={() => {
              setChecked(true);
              if (amount !== null && !amountError && method) void submit(amount, method);
            }}
          >
            <span className="num">
              Add funds
              {amount !== null && !amountError && ` · ${formatMoney(cents(amount))}`}
            </span>
          </Button>
        </BottomBar>
      }
    >
      <div className="grid gap-6 px-gutter pt-4">
        <p className="text-ink-2">
          {balanceId ? "This adds to your gift card." : "Money on your JoePass works at every store."}
        </p>
        <PurchaseFields isLocked={isLocked}>
          <AmountPicker
            presets={options.presets}
            choice={choice}
            other={other}
            onChange={(nextChoice, nextOther) => {
              setChoice(nextChoice);
              setOther(nextOther);
              setChecked(false);
            }}
            error={isChecked ? amountError : undefined}
          />
          <section>
            <h2 className="t-heading mb-2.5">Pay with</h2>
            <PaymentSelector
              methods={methods}
              value={method}
              onChange={({ paymentMethodId }) => setMethodId(paymentMethodId)}
              userId={session?.id ?? ""}
              next={
                balanceId
                  ? `/wallet/add-funds?balanceId=${encodeURIComponent(balanceId)}`
                  : "/wallet/add-funds"
              }
              error={isChecked && !method ? "Payment method is required" : undefined}
            />
            {method?.type === "bank" && (
              <p className="t-small mt-2 text-ink-2">
                Your bank takes a few days. The money shows as pending until then.
              </p>
            )}
          </section>
        </PurchaseFields>
        <p role="alert" className="t-small min-h-5 text-danger">
          {notice}
        </p>
      </div>
    </Page>
  );
}

/** Charges the method, with Apple Pay and Google Pay after the consumer confirms. */
function useSubmit(payWithWallet: DeviceWallet["pay"] | undefined) {
  const { next, balanceId } = Route.useSearch();
  const addFunds = useAddFunds();
  const goBack = useGoBack();
  const showMissed = useShowMissedPurchase("Funds not added.");
  /** The wallet's payment of an attempt with an unknown outcome, by amount. */
  const walletPayments = useRef(new Map<string, string>());
  const [isConfirming, setConfirming] = useState(false);
  const [notice, setNotice] = useState<string>();
  const confirmWallet = async (attempt: string, amount: number): Promise<string | null> => {
    const previous = walletPayments.current.get(attempt);
    if (previous !== undefined) return previous;
    const id = (await payWithWallet?.({ label: SHEET_LABEL, amount })) ?? null;
    if (id !== null) walletPayments.current.set(attempt, id);
    return id;
  };
  const submit = async (amount: number, { type, paymentMethodId }: PaymentMethod) => {
    setNotice(undefined);
    const attempt = `${type}|${amount}`;
    setConfirming(true);
    try {
      const walletId = isWallet({ type }) ? await confirmWallet(attempt, amount) : undefined;
      if (walletId === null) return;
      const payment = walletId
        ? { type, paymentMethodId: "", walletPaymentMethodId: walletId }
        : { type, paymentMethodId };
      const { state, value } = await addFunds.mutateAsync({
        amount,
        payment,
        ...(balanceId ? { balanceId } : {}),
      });
      walletPayments.current.delete(attempt);
      const text = formatMoney(value);
      toast(state === "Completed" ? `${text} added` : `${text} on its way from your bank`, "success");
      goBack(next ? { href: next } : { to: "/wallet" }, Route.fullPath);
    } catch (error) {
      if (isFinal(error)) walletPayments.current.delete(attempt);
      // The consumer signs in again.
      if (isUnauthorized(error)) return;
      setNotice(formatAddFundsError(error));
      showMissed(error);
    } finally {
      setConfirming(false);
    }
  };
  const busy = isConfirming || addFunds.isPending;
  return { submit, busy, isLocked: busy || isOutcomeUnknown(addFunds.error), notice };
}

function AddFundsSkeleton(): ReactNode {
  return (
    <Page header={<Header title="Add funds" up={{ to: "/wallet" }} />}>
      <Loading label="Loading amounts">
        <div className="grid gap-6 px-gutter pt-4">
          <SkeletonBlock className="h-32" />
          <SkeletonBlock className="h-16" />
        </div>
      </Loading>
    </Page>
  );
}
