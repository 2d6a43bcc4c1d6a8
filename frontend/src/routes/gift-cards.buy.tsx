import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { object, string } from "valibot";
import { DesignPicker } from "@/features/gift-cards/DesignPicker";
import { formatDealTerms, formatDesignName } from "@/features/gift-cards/format";
import { GiftCardFace } from "@/features/gift-cards/GiftCardFace";
import { useBuyGiftCard } from "@/features/gift-cards/mutations";
import { PurchasedCard } from "@/features/gift-cards/PurchasedCard";
import {
  amountToPay,
  type PurchaseErrors,
  todayOnDevice,
  toRequest,
} from "@/features/gift-cards/purchase-request";
import { type Deal, dealsQuery } from "@/features/gift-cards/queries";
import { RecipientFields } from "@/features/gift-cards/RecipientFields";
import { addFundsQuery } from "@/features/wallet/queries";
import { cents, formatMoney } from "@/lib/money";
import { searchParam } from "@/lib/search";
import { useIsMounted } from "@/lib/use-is-mounted";
import { isOutcomeUnknown, type Purchase } from "@/provider/purchase";
import { Header } from "@/shell/Header";
import { useShowMissedPurchase } from "@/shell/missed-purchase";
import { BottomBar, Page } from "@/shell/Page";
import { PurchaseError } from "@/shell/PurchaseError";
import { requireSession } from "@/shell/session";
import { useItem } from "@/state/device-item";
import { type GiftCardPurchase, giftCardPurchase } from "@/state/purchases";
import { AmountPicker } from "@/ui/AmountPicker";
import { Button } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import { Loading, SkeletonBlock, SkeletonRows } from "@/ui/Skeleton";
import { toast } from "@/ui/toast";
import { PurchaseFields, PurchasePayment, usePurchasePayment } from "./-purchase-payment";

export const Route = createFileRoute("/gift-cards/buy")({
  validateSearch: object({ dealId: searchParam(string()) }),
  beforeLoad: requireSession,
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(addFundsQuery);
    void queryClient.prefetchQuery(dealsQuery());
  },
  component: BuyGiftCard,
  pendingComponent: BuySkeleton,
});

const header = <Header title="Buy a gift card" up={{ to: "/gift-cards" }} />;

function BuyGiftCard(): ReactNode {
  const isMounted = useIsMounted();
  const [bought, setBought] = useState<{ purchase: Purchase; gift: GiftCardPurchase }>();
  if (bought) return <PurchasedCard {...bought} header={header} />;
  return (
    <PurchaseForm
      onBought={(purchase, gift) => {
        setBought({ purchase, gift });
        // The consumer may have left, returned, and started another one.
        if (giftCardPurchase.get() === gift) giftCardPurchase.clear();
        if (!isMounted.current) toast("Gift card bought", "success");
      }}
    />
  );
}

interface PurchaseFormProps {
  onBought: (purchase: Purchase, gift: GiftCardPurchase) => void;
}

function PurchaseForm({ onBought }: PurchaseFormProps): ReactNode {
  const { dealId } = Route.useSearch();
  const { data: options } = useSuspenseQuery(addFundsQuery);
  const { data: deals } = useSuspenseQuery(dealsQuery());
  const deal = deals.find(({ id, companyId }) => id === dealId && companyId === null);
  const purchase = useItem(giftCardPurchase);
  const payment = usePurchasePayment({ paymentMethodId: purchase.paymentMethodId });
  const buy = useBuyGiftCard(onBought, useShowMissedPurchase("Gift card not bought."));
  const [errors, setErrors] = useState<PurchaseErrors>({});
  const form = useRef<HTMLFormElement>(null);
  useFocusOnError(form, errors);
  const today = todayOnDevice(new Date());
  const change = (values: Partial<GiftCardPurchase>) => {
    giftCardPurchase.set((now) => ({ ...now, ...values }));
    setErrors({});
    buy.reset();
  };
  const isPaying = payment.isConfirming || buy.isPending;
  const submit = () => {
    if (isPaying) return;
    const result = toRequest(
      { ...purchase, dealId: deal?.id ?? null },
      {
        deal,
        minimum: options.minimum,
        maximum: options.maximum,
        today,
        hasPayment: Boolean(payment.selected),
      },
    );
    if ("errors" in result) return setErrors(result.errors);
    void payment.confirm(result.request.amount, "Gift card", (paid) =>
      buy.mutate({ request: { ...result.request, payment: paid }, gift: purchase }),
    );
  };
  const amount = amountToPay(purchase, deal);
  return (
    <Page header={header} bar={<BuyBar amount={amount} busy={isPaying} onBuy={submit} />}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        className="grid grid-cols-[minmax(0,1fr)] gap-7 px-gutter pt-2"
      >
        <PurchaseFields isLocked={isPaying || isOutcomeUnknown(buy.error)}>
          <Preview purchase={purchase} deal={deal} amount={amount} />
          <section className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
            <h2 className="t-heading">Design</h2>
            <DesignPicker value={purchase.design} onChange={(design) => change({ design })} />
          </section>
          <section className="grid gap-2.5">
            <h2 className="t-heading">Amount</h2>
            <Amount
              value={purchase.amount}
              deal={deal}
              error={errors.amount}
              onChange={(chosen) => change({ amount: chosen })}
            />
            {dealId && !deal && <Notice>This deal has ended. You can still buy a card.</Notice>}
          </section>
          <section className="grid gap-2.5">
            <h2 className="t-heading">Who is it for?</h2>
            <RecipientFields purchase={purchase} errors={errors} today={today} onChange={change} />
          </section>
          <PurchasePayment
            payment={payment}
            next={dealId ? `/gift-cards/buy?dealId=${encodeURIComponent(dealId)}` : "/gift-cards/buy"}
            error={errors.payment}
            onChange={({ paymentMethodId }) => change({ paymentMethodId })}
          />
        </PurchaseFields>
        {buy.error && <PurchaseError error={buy.error} />}
      </form>
    </Page>
  );
}

interface AmountProps {
  value: number | null;
  deal: Deal | undefined;
  error: string | undefined;
  onChange: (amount: number | null) => void;
}

/** The amount, which a deal defines. */
function Amount({ deal, ...props }: AmountProps): ReactNode {
  const { data: options } = useSuspenseQuery(addFundsQuery);
  if (deal) return <Notice>{`${deal.title}: ${formatDealTerms(deal)}.`}</Notice>;
  return (
    <AmountPicker
      label="Amount"
      presets={options.presets}
      minimum={options.minimum}
      maximum={options.maximum}
      {...props}
    />
  );
}

interface PreviewProps {
  purchase: GiftCardPurchase;
  deal: Deal | undefined;
  amount: number | null;
}

function Preview({ purchase: { design, recipient }, deal, amount }: PreviewProps): ReactNode {
  const value = deal ? deal.value : amount === null ? null : cents(amount);
  const isGift = recipient.kind !== "self";
  return (
    <GiftCardFace
      design={design}
      title={formatDesignName(design)}
      detail={isGift ? `For ${recipient.name.trim() || "someone special"}` : "For you"}
      amount={value && formatMoney(value)}
    />
  );
}

interface BuyBarProps {
  amount: number | null;
  busy: boolean;
  onBuy: () => void;
}

function BuyBar({ amount, busy, onBuy }: BuyBarProps): ReactNode {
  return (
    <BottomBar>
      <Button big busy={busy} busyLabel="Paying" onClick={onBuy}>
        {amount === null ? "Buy gift card" : `Buy gift card · ${formatMoney(cents(amount))}`}
      </Button>
    </BottomBar>
  );
}

/** Moves the focus to the first field with an error. */
function useFocusOnError(form: React.RefObject<HTMLFormElement | null>, errors: PurchaseErrors): void {
  useEffect(() => {
    if (Object.keys(errors).length === 0) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [form, errors]);
}

function BuySkeleton(): ReactNode {
  return (
    <Page header={header}>
      <Loading label="Loading gift cards">
        <div className="grid gap-6 px-gutter pt-2">
          <SkeletonBlock className="h-64 rounded-sheet" />
          <SkeletonRows count={3} />
        </div>
      </Loading>
    </Page>
  );
}
