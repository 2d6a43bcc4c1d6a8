import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { formatInterruption, isPaused, pauseEnd } from "@/features/wallet/auto-reload";
import { useSetAutoReload } from "@/features/wallet/mutations";
import { type AddFundsOptions, addFundsQuery } from "@/features/wallet/queries";
import { amountError } from "@/lib/amount-error";
import { cents, formatMoney } from "@/lib/money";
import { Header } from "@/shell/Header";
import { BottomBar, Page } from "@/shell/Page";
import { requireSession, useSession } from "@/shell/session";
import { AmountPicker } from "@/ui/AmountPicker";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";
import { Notice } from "@/ui/Notice";
import { Loading, SkeletonBlock, SkeletonRows } from "@/ui/Skeleton";
import { Switch } from "@/ui/Switch";
import { toast } from "@/ui/toast";
import { PurchasePayment, usePurchasePayment } from "./-purchase-payment";

export const Route = createFileRoute("/wallet/auto-reload")({
  beforeLoad: requireSession,
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(addFundsQuery);
  },
  component: AutoReloadScreen,
  pendingComponent: AutoReloadSkeleton,
});

/** Suggested balances below which JoePass is reloaded, in cents. */
const THRESHOLDS = [500, 1_000, 2_000];

const PATH = "/wallet/auto-reload";

const EXPLANATION = "Adds money to your JoePass when it runs low. We message you each time.";

const header = <Header title="Auto-reload" up={{ to: "/my-joe" }} />;

function AutoReloadScreen(): ReactNode {
  const { data: options } = useSuspenseQuery(addFundsQuery);
  const { autoReload } = options;
  const setAutoReload = useSetAutoReload();
  const now = new Date();
  /** The stored rule with a change that needs no other field: paused, or switched off. */
  const changeRule = (change: { enabled?: boolean; pausedUntil?: string | null }, done: string) =>
    setAutoReload.mutate(
      {
        enabled: autoReload.enabled,
        threshold: autoReload.threshold.currencyAmount,
        amount: autoReload.amount.currencyAmount,
        paymentMethodId: autoReload.paymentMethodId ?? "",
        pausedUntil: autoReload.pausedUntil,
        ...change,
      },
      { onSuccess: () => toast(done, "success") },
    );
  const interruption = formatInterruption(autoReload, now);
  return (
    <RuleForm options={options} save={setAutoReload}>
      {!autoReload.enabled && <p className="text-ink-2">{EXPLANATION}</p>}
      {autoReload.enabled && (
        <div className="grid gap-3">
          <Switch
            label="Auto-reload"
            detail={EXPLANATION}
            on
            busy={setAutoReload.isPending}
            onChange={() => changeRule({ enabled: false, pausedUntil: null }, "Auto-reload is off")}
          />
          {interruption && <Notice>{interruption}</Notice>}
          <div>
            {isPaused(autoReload, now) ? (
              <Button
                variant="soft"
                busy={setAutoReload.isPending}
                onClick={() => changeRule({ pausedUntil: null }, "Auto-reload is on again")}
              >
                Resume now
              </Button>
            ) : (
              <Button
                variant="soft"
                busy={setAutoReload.isPending}
                onClick={() => changeRule({ pausedUntil: pauseEnd(now) }, "Auto-reload is paused")}
              >
                Pause for a week
              </Button>
            )}
          </div>
        </div>
      )}
    </RuleForm>
  );
}

interface RuleFormProps {
  options: AddFundsOptions;
  save: ReturnType<typeof useSetAutoReload>;
  /** The switch and the pause of a stored rule; before, an explanation. */
  children: ReactNode;
}

interface RuleErrors {
  threshold?: string | undefined;
  amount?: string | undefined;
  payment?: string | undefined;
}

function RuleForm({ options, save, children }: RuleFormProps): ReactNode {
  const { autoReload: rule } = options;
  // The server suggests both to a consumer who has never had a rule.
  const [threshold, setThreshold] = useState<number | null>(rule.threshold.currencyAmount);
  const [amount, setAmount] = useState<number | null>(rule.amount.currencyAmount);
  const [methodId, setMethodId] = useState(rule.paymentMethodId);
  const [errors, setErrors] = useState<RuleErrors>({});
  const payment = usePurchasePayment({ paymentMethodId: methodId, savedOnly: true });
  const submit = () => {
    if (save.isPending) return;
    const found: RuleErrors = {
      threshold: amountError(threshold, 1, options.autoReloadMaximumThreshold),
      amount: amountError(amount, options.autoReloadMinimum, options.autoReloadMaximum),
      payment: payment.selected ? undefined : "Payment method is required",
    };
    setErrors(found);
    if (Object.values(found).some(Boolean) || threshold === null || amount === null || !payment.selected)
      return;
    const { paymentMethodId } = payment.selected;
    save.mutate(
      { enabled: true, threshold, amount, paymentMethodId, pausedUntil: rule.pausedUntil },
      { onSuccess: () => toast("Auto-reload is on", "success") },
    );
  };
  return (
    <Page
      header={header}
      bar={
        <BottomBar>
          {payment.methods && !payment.selected ? (
            <AddMethod />
          ) : (
            <Button big busy={save.isPending} onClick={submit}>
              {formatSubmit(rule.enabled, amount, threshold)}
            </Button>
          )}
        </BottomBar>
      }
    >
      <div className="grid gap-7 px-gutter pt-4">
        {children}
        <section className="grid gap-2.5">
          <h2 className="t-heading">When my balance is under</h2>
          <AmountPicker
            label="When my balance is under"
            presets={THRESHOLDS.filter((preset) => preset <= options.autoReloadMaximumThreshold)}
            minimum={0}
            maximum={options.autoReloadMaximumThreshold}
            value={threshold}
            error={errors.threshold}
            onChange={(chosen) => {
              setThreshold(chosen);
              setErrors({});
            }}
          />
        </section>
        <section className="grid gap-2.5">
          <h2 className="t-heading">Add</h2>
          <AmountPicker
            label="Add"
            presets={options.presets}
            minimum={options.autoReloadMinimum}
            maximum={options.autoReloadMaximum}
            value={amount}
            error={errors.amount}
            onChange={(chosen) => {
              setAmount(chosen);
              setErrors({});
            }}
          />
        </section>
        <PurchasePayment
          payment={payment}
          next={PATH}
          error={errors.payment}
          onChange={({ paymentMethodId }) => {
            setMethodId(paymentMethodId);
            setErrors({});
          }}
        />
      </div>
    </Page>
  );
}

/** Replaces the submit button while no method can be charged. */
function AddMethod(): ReactNode {
  const session = useSession();
  return (
    <Link
      to="/account/add-payment"
      search={{ userId: session?.id ?? "", next: PATH }}
      className={buttonVariants("solid", { big: true })}
    >
      Add a payment method
    </Link>
  );
}

/** "Save · add $25 when under $10". */
function formatSubmit(enabled: boolean, amount: number | null, threshold: number | null): string {
  const verb = enabled ? "Save" : "Turn on";
  if (amount === null || threshold === null) return verb;
  return `${verb} · add ${formatMoney(cents(amount), { bare: true })} when under ${formatMoney(cents(threshold), { bare: true })}`;
}

function AutoReloadSkeleton(): ReactNode {
  return (
    <Page header={header}>
      <Loading label="Loading auto-reload">
        <div className="grid gap-6 px-gutter pt-4">
          <SkeletonBlock className="h-16" />
          <SkeletonRows count={3} />
        </div>
      </Loading>
    </Page>
  );
}
