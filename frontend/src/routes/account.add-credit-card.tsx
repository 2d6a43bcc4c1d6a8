import { createFileRoute } from "@tanstack/react-router";
import { type ReactNode, useRef, useState } from "react";
import { object, string } from "valibot";
import { errorMessage } from "@/api/errors";
import { selectAddedMethod } from "@/features/payment-methods/added-method";
import { CardForm } from "@/features/payment-methods/CardForm";
import { MethodRejectedError } from "@/features/payment-methods/method-rejected-error";
import { ProviderFormError } from "@/features/payment-methods/ProviderFormError";
import { useAddCard } from "@/features/payment-methods/use-add-card";
import { useCreateSetupIntent } from "@/features/payment-methods/use-create-setup-intent";
import { searchParam } from "@/lib/search";
import type { CardChange, CardElement } from "@/provider/provider";
import { Header } from "@/shell/Header";
import { nextFields } from "@/shell/next";
import { BottomBar, Page } from "@/shell/Page";
import { requireSession, useSession } from "@/shell/session";
import { useGoBack } from "@/shell/use-go-back";
import { Button } from "@/ui/Button";
import { Checkbox } from "@/ui/Checkbox";
import { Loading, SkeletonBlock, SkeletonLine } from "@/ui/Skeleton";
import { toast } from "@/ui/toast";

export const Route = createFileRoute("/account/add-credit-card")({
  validateSearch: object({ ...nextFields, userId: searchParam(string()) }),
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
  const [isDefault, setDefault] = useState(false);
  const [error, setError] = useState<string>();
  if (setup.isError) {
    return (
      <Page header={<Header title="Add a card" up={{ to: "/wallet" }} />}>
        <ProviderFormError
          title="We couldn't load the card form"
          error={setup.error}
          onRetry={() => setup.refetch()}
        />
      </Page>
    );
  }
  const submit = () => {
    if (!setup.data || !element.current) return;
    if (!card?.complete) return setError(card?.error?.message ?? "Enter your card details.");
    setError(undefined);
    const owner = [session?.firstName, session?.lastName].filter(Boolean).join(" ");
    addCard.mutate(
      { ...setup.data, element: element.current, owner, isDefault },
      {
        onSuccess: (added) => {
          if (added) selectAddedMethod(added, next);
          toast("Card added", "success");
          goBack(next ? { href: next } : { to: "/wallet" });
        },
        onError: (cause) =>
          setError(cause instanceof MethodRejectedError ? cause.message : errorMessage(cause)),
      },
    );
  };
  return (
    <Page
      header={<Header title="Add a card" up={{ to: "/wallet" }} />}
      bar={
        <BottomBar>
          <Button
            big
            busy={addCard.isPending}
            busyLabel="Saving card"
            disabled={!setup.data}
            onClick={submit}
          >
            Save card
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
        <Checkbox checked={isDefault} onChange={setDefault}>
          Make this my default
        </Checkbox>
        <p className="t-small mt-3 text-ink-2">
          Your card details go straight to our payment provider. We only keep the last four digits.
        </p>
      </div>
    </Page>
  );
}
