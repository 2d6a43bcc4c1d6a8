import { createFileRoute } from "@tanstack/react-router";
import { type ReactNode, useRef, useState } from "react";
import { object, string } from "valibot";
import { errorMessage } from "@/api/errors";
import { CardForm } from "@/features/payment-methods/CardForm";
import { CardRejectedError, useAddCard } from "@/features/payment-methods/use-add-card";
import { useCreateSetupIntent } from "@/features/payment-methods/use-create-setup-intent";
import { searchParam } from "@/lib/search";
import type { CardChange, CardElement } from "@/provider/provider";
import { ScriptError } from "@/provider/script";
import { Header } from "@/shell/Header";
import { nextFields } from "@/shell/next";
import { BottomBar, Page } from "@/shell/Page";
import { requireSession, useSession } from "@/shell/session";
import { useGoBack } from "@/shell/use-go-back";
import { device } from "@/state/device";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Loading, SkeletonBlock, SkeletonLine } from "@/ui/Skeleton";
import { toast } from "@/ui/toast";

export const Route = createFileRoute("/account/add-credit-card")({
  validateSearch: object({ ...nextFields, userId: searchParam(string()) }),
  head: () => ({ meta: [{ title: "Add a card · Order Ahead" }] }),
  beforeLoad: requireSession,
  component: AddCreditCard,
});

function AddCreditCard(): ReactNode {
  const setup = useCreateSetupIntent();
  const session = useSession();
  const addCard = useAddCard();
  const { next } = Route.useSearch();
  const goBack = useGoBack();
  const element = useRef<CardElement>(null);
  const [card, setCard] = useState<CardChange>();
  const [error, setError] = useState<string>();
  if (setup.isError) return <SetupError error={setup.error} onRetry={() => setup.refetch()} />;
  const submit = () => {
    if (!setup.data || !element.current) return;
    if (!card?.complete) return setError(card?.error?.message ?? "Enter your card details.");
    setError(undefined);
    const owner = [session?.firstName, session?.lastName].filter(Boolean).join(" ");
    addCard.mutate(
      { ...setup.data, element: element.current, owner },
      {
        onSuccess: (added) => {
          if (added) device.checkout.set({ paymentId: added.paymentMethodId, paymentType: added.type });
          toast("Card added", "success");
          goBack(next ? { href: next } : { to: "/wallet" });
        },
        onError: (cause) =>
          setError(cause instanceof CardRejectedError ? cause.message : errorMessage(cause)),
      },
    );
  };
  return (
    <Page
      header={<Header title="Add a card" up={{ to: "/wallet" }} />}
      bar={
        <BottomBar>
          <Button big busy={addCard.isPending} disabled={!setup.data} onClick={submit}>
            {addCard.isPending ? "Saving card" : "Save card"}
          </Button>
        </BottomBar>
      }
    >
      <div className="px-gutter pt-5">
        {setup.data ? (
          <CardForm
            provider={setup.data.provider}
            onElement={(mounted) => {
              element.current = mounted;
            }}
            onChange={(change) => {
              setCard(change);
              setError(undefined);
            }}
            error={error ?? card?.error?.message}
          />
        ) : (
          <Loading label="Loading the card form">
            <SkeletonLine className="mb-2 w-12" />
            <SkeletonBlock className="h-24 rounded-choice" />
          </Loading>
        )}
        <p className="t-small mt-3 text-ink-2">
          Your card details go straight to our payment provider. We only keep the last four digits.
        </p>
      </div>
    </Page>
  );
}

function SetupError({ error, onRetry }: { error: Error; onRetry: () => void }): ReactNode {
  return (
    <Page header={<Header title="Add a card" up={{ to: "/wallet" }} />}>
      <Empty title="We couldn't load the card form" action={<Button onClick={onRetry}>Try again</Button>}>
        <p role="alert">
          {error instanceof ScriptError
            ? "We couldn't reach our payment provider. Check your connection or turn off your ad blocker, then try again."
            : errorMessage(error)}
        </p>
      </Empty>
    </Page>
  );
}
