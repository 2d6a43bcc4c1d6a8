import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { object, string } from "valibot";
import { usePurchaseCompanyGiftCard } from "@/features/company-cards/mutations";
import { formatDealTerms } from "@/features/gift-cards/format";
import { type Deal, dealsQuery } from "@/features/gift-cards/queries";
import { companyQuery } from "@/features/stores/company-queries";
import { addFundsQuery } from "@/features/wallet/queries";
import { amountError } from "@/lib/amount-error";
import { cents, formatMoney } from "@/lib/money";
import { searchParam } from "@/lib/search";
import { useIsMounted } from "@/lib/use-is-mounted";
import { isOutcomeUnknown, type Purchase } from "@/provider/purchase";
import { Header } from "@/shell/Header";
import { useShowMissedPurchase } from "@/shell/missed-purchase";
import { BottomBar, Page } from "@/shell/Page";
import { PurchaseError } from "@/shell/PurchaseError";
import { requireSession } from "@/shell/session";
import { useShareMetadata } from "@/shell/share-metadata";
import { useItem } from "@/state/device-item";
import { type CompanyGiftCardPurchase, companyGiftCardPurchase } from "@/state/purchases";
import { AmountPicker } from "@/ui/AmountPicker";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";
import { Chips } from "@/ui/Chip";
import { Notice } from "@/ui/Notice";
import { Loading, SkeletonBlock, SkeletonRows } from "@/ui/Skeleton";
import { toast } from "@/ui/toast";
import { PurchaseFields, PurchasePayment, usePurchasePayment } from "./-purchase-payment";

export const Route = createFileRoute("/company/$companyId_/buy-card")({
  validateSearch: object({ dealId: searchParam(string()) }),
  beforeLoad: requireSession,
  loader: ({ context: { queryClient }, params: { companyId } }) => {
    void queryClient.prefetchQuery(companyQuery(companyId));
    void queryClient.prefetchQuery(addFundsQuery);
    void queryClient.prefetchQuery(dealsQuery(companyId));
  },
  component: BuyCompanyCard,
  pendingComponent: BuySkeleton,
});

function BuyCompanyCard(): ReactNode {
  const { companyId } = Route.useParams();
  const isMounted = useIsMounted();
  const [purchase, setPurchase] = useState<Purchase>();
  if (purchase) return <Bought purchase={purchase} companyId={companyId} />;
  return (
    <PurchaseForm
      companyId={companyId}
      onBought={(bought, draft) => {
        // The consumer may have left and started another one.
        if (companyGiftCardPurchase.get() === draft) companyGiftCardPurchase.clear();
        setPurchase(bought);
        if (!isMounted.current) toast(formatResult(bought), "success");
      }}
    />
  );
}

interface PurchaseFormProps {
  companyId: string;
  onBought: (purchase: Purchase, draft: CompanyGiftCardPurchase) => void;
}

function PurchaseForm({ companyId, onBought }: PurchaseFormProps): ReactNode {
  const search = Route.useSearch();
  const { data: company } = useSuspenseQuery(companyQuery(companyId));
  const { data: options } = useSuspenseQuery(addFundsQuery);
  const { data: allDeals } = useSuspenseQuery(dealsQuery(companyId));
  useShareMetadata({
    title: `Buy a ${company.name} card · Order Ahead`,
    description: `Use it at every ${company.name} store.`,
    image: "company",
  });
  const deals = allDeals.filter((deal) => deal.companyId === companyId);
  const [draft, change] = useDraft(companyId, search.dealId ?? null);
  const payment = usePurchasePayment({ paymentMethodId: draft.paymentMethodId });
  const buy = usePurchaseCompanyGiftCard(onBought, useShowMissedPurchase(`${company.name} card not bought.`));
  const [errors, setErrors] = useState<{ amount?: string | undefined; payment?: string | undefined }>({});
  const deal = deals.find(({ id }) => id === draft.dealId);
  const amount = deal ? deal.price.currencyAmount : draft.amount;
  const update = (values: Partial<CompanyGiftCardPurchase>) => {
    setErrors({});
    buy.reset();
    change(values);
  };
  const isPaying = payment.isConfirming || buy.isPending;
  const submit = () => {
    if (isPaying) return;
    const found = {
      amount: deal ? undefined : amountError(amount, options.minimum, options.maximum),
      payment: payment.selected ? undefined : "Payment method is required",
    };
    if (found.amount || found.payment || amount === null) return setErrors(found);
    const what = deal ? { dealId: deal.id } : { amount };
    void payment.confirm(amount, `${company.name} card`, (paid) =>
      buy.mutate({ request: { companyId, ...what, payment: paid }, draft }),
    );
  };
  return (
    <Page
      header={
        <Header
          title={`${company.name} card`}
          up={{ to: "/company/$companyId/card", params: { companyId } }}
        />
      }
      bar={<PayBar amount={amount} busy={isPaying} onPay={submit} />}
    >
      <div className="grid gap-7 px-gutter pt-4">
        <p className="text-ink-2">
          It works at all {company.name} stores. If you have their card, this adds to it.
        </p>
        <PurchaseFields isLocked={isPaying || isOutcomeUnknown(buy.error)}>
          {deals.length > 0 && (
            <DealChoice deals={deals} value={draft.dealId} onChange={(dealId) => update({ dealId })} />
          )}
          {search.dealId && !deals.some(({ id }) => id === search.dealId) && (
            <Notice>This deal has ended. You can still buy a card.</Notice>
          )}
          {!deal && (
            <section className="grid gap-2.5">
              <h2 className="t-heading">Amount</h2>
              <AmountPicker
                label="Amount"
                presets={options.presets}
                minimum={options.minimum}
                maximum={options.maximum}
                value={draft.amount}
                error={errors.amount}
                onChange={(chosen) => update({ amount: chosen })}
              />
            </section>
          )}
          <PurchasePayment
            payment={payment}
            next={`/company/${encodeURIComponent(companyId)}/buy-card`}
            error={errors.payment}
            onChange={({ paymentMethodId }) => update({ paymentMethodId })}
          />
        </PurchaseFields>
        {buy.error && <PurchaseError error={buy.error} />}
      </div>
    </Page>
  );
}

interface PayBarProps {
  amount: number | null;
  busy: boolean;
  onPay: () => void;
}

function PayBar({ amount, busy, onPay }: PayBarProps): ReactNode {
  return (
    <BottomBar>
      <Button big busy={busy} busyLabel="Paying" onClick={onPay}>
        {amount === null ? "Buy card" : `Pay ${formatMoney(cents(amount))}`}
      </Button>
    </BottomBar>
  );
}

/** The draft of this company. A draft of another company is dropped. */
function useDraft(companyId: string, dealId: string | null) {
  const stored = useItem(companyGiftCardPurchase);
  const empty: CompanyGiftCardPurchase = { companyId, amount: null, dealId, paymentMethodId: null };
  const draft = stored.companyId === companyId ? stored : empty;
  const linked = useRef<string | null>(null);
  useEffect(() => {
    // A link to a deal selects it once; the consumer can choose another one.
    if (dealId === null || linked.current === dealId) return;
    linked.current = dealId;
    companyGiftCardPurchase.set((now) =>
      now.companyId === companyId
        ? { ...now, dealId }
        : { companyId, amount: null, dealId, paymentMethodId: null },
    );
  }, [companyId, dealId]);
  const change = (values: Partial<CompanyGiftCardPurchase>) =>
    companyGiftCardPurchase.set({ ...draft, ...values });
  return [draft, change] as const;
}

interface DealChoiceProps {
  deals: readonly Deal[];
  value: string | null;
  onChange: (dealId: string | null) => void;
}

const NO_DEAL = "none";

function DealChoice({ deals, value, onChange }: DealChoiceProps): ReactNode {
  const isKnown = deals.some(({ id }) => id === value);
  return (
    <section className="grid gap-2.5">
      <h2 className="t-heading">Deals</h2>
      <Chips
        label="Deals"
        value={isKnown && value !== null ? value : NO_DEAL}
        onChange={(chosen) => onChange(chosen === NO_DEAL ? null : chosen)}
        options={[
          ...deals.map((deal) => ({ value: deal.id, label: formatDealTerms(deal) })),
          { value: NO_DEAL, label: "No deal" },
        ]}
      />
    </section>
  );
}

function Bought({ purchase, companyId }: { purchase: Purchase; companyId: string }): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const isProcessing = purchase.state === "Processing";
  return (
    <Page
      header={<Header title="Company card" up={{ to: "/gift-cards" }} />}
      bar={
        <BottomBar>
          <Link
            to="/company/$companyId/card"
            params={{ companyId }}
            className={buttonVariants("solid", { big: true })}
          >
            See your card
          </Link>
        </BottomBar>
      }
    >
      <div className="px-gutter pt-6" role="status">
        <h2 ref={heading} tabIndex={-1} className="t-display outline-none">
          {formatResult(purchase)}
        </h2>
        <p className="mt-2 text-ink-2">
          {isProcessing
            ? "Bank payments take a few business days. You can spend it once your payment clears."
            : `You paid ${formatMoney(purchase.amount)}. ${purchase.companyName ?? "The company"} stores accept it now.`}
        </p>
      </div>
    </Page>
  );
}

const formatResult = ({ state, value }: Purchase): string =>
  `${formatMoney(value)} ${state === "Processing" ? "is on its way" : "added"}`;

function BuySkeleton(): ReactNode {
  return (
    <Page header={<Header title="Company card" up={{ to: "/gift-cards" }} />}>
      <Loading label="Loading the card">
        <div className="grid gap-6 px-gutter pt-4">
          <SkeletonBlock className="h-20" />
          <SkeletonRows count={3} />
        </div>
      </Loading>
    </Page>
  );
}
