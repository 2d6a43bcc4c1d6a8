import { createFileRoute } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { object, string } from "valibot";
import { errorMessage } from "@/api/errors";
import { selectAddedMethod } from "@/features/payment-methods/added-method";
import { MethodRejectedError } from "@/features/payment-methods/method-rejected-error";
import { ProviderFormError } from "@/features/payment-methods/ProviderFormError";
import { useAddBankAccount } from "@/features/payment-methods/use-add-bank-account";
import { type BankSession, useCreateBankSession } from "@/features/payment-methods/use-create-bank-session";
import { searchParam } from "@/lib/search";
import { Header } from "@/shell/Header";
import { nextFields } from "@/shell/next";
import { BottomBar, Page } from "@/shell/Page";
import { requireSession, useSession } from "@/shell/session";
import { useGoBack } from "@/shell/use-go-back";
import { Button } from "@/ui/Button";
import { TextInput } from "@/ui/Field";
import { Loading, SkeletonBlock, SkeletonLine } from "@/ui/Skeleton";
import { toast } from "@/ui/toast";

export const Route = createFileRoute("/account/link-bank-account")({
  validateSearch: object({ ...nextFields, userId: searchParam(string()) }),
  beforeLoad: requireSession,
  component: LinkBankAccount,
});

/** Links a US bank account. The account number is typed into the provider's frame and never reaches this page. */
function LinkBankAccount(): ReactNode {
  const session = useSession();
  const bank = useCreateBankSession(session?.id ?? "");
  const header = <Header title="Link a bank account" up={{ to: "/wallet" }} />;
  if (bank.isError) {
    return (
      <Page header={header}>
        <ProviderFormError
          title="We couldn't connect to your bank"
          error={bank.error}
          onRetry={() => bank.refetch()}
        />
      </Page>
    );
  }
  if (bank.data) return <LinkForm session={bank.data} header={header} />;
  return (
    <Page header={header}>
      <Loading label="Loading the bank form">
        <div className="grid gap-4 px-gutter pt-5">
          <SkeletonLine className="w-28" />
          <SkeletonBlock className="h-14 rounded-choice" />
          <SkeletonBlock className="h-32 rounded-choice" />
        </div>
      </Loading>
    </Page>
  );
}

function LinkForm({ session, header }: { session: BankSession; header: ReactNode }): ReactNode {
  const consumer = useSession();
  const [name, setName] = useState([consumer?.firstName, consumer?.lastName].filter(Boolean).join(" "));
  const [nameError, setNameError] = useState<string>();
  const { submit, isPending, message } = useLink(session);
  return (
    <Page
      header={header}
      bar={
        <BottomBar>
          <Button
            big
            busy={isPending}
            busyLabel="Linking your account"
            onClick={() => {
              if (name.trim() === "") return setNameError("Enter the name on the account.");
              submit(name.trim(), consumer?.email);
            }}
          >
            Agree and choose account
          </Button>
        </BottomBar>
      }
    >
      <div className="grid gap-5 px-gutter pt-5">
        <TextInput
          label="Name on the account"
          autoComplete="name"
          value={name}
          error={nameError}
          onChange={(event) => {
            setName(event.target.value);
            setNameError(undefined);
          }}
        />
        <section aria-label="Authorization" className="t-small grid gap-3 rounded-choice bg-sunk px-4 py-3.5">
          <p>{session.mandate}</p>
          <p>{session.feeConsent}</p>
        </section>
        <p className="t-small text-ink-2">
          You sign in to your bank through our payment provider. We only keep the bank's name and the last
          four digits.
        </p>
        <p role="alert" className="t-small text-danger">
          {message}
        </p>
      </div>
    </Page>
  );
}

function useLink({ provider, clientSecret }: BankSession) {
  const { next } = Route.useSearch();
  const goBack = useGoBack();
  const add = useAddBankAccount();
  const [message, setMessage] = useState<string>();
  const submit = (owner: string, email: string | undefined) => {
    setMessage(undefined);
    add.mutate(
      { provider, clientSecret, owner, email },
      {
        onSuccess: (result) => {
          if (result.kind === "canceled")
            return setMessage("No account was linked. Try again whenever you like.");
          if (result.kind === "verifying") {
            return setMessage(
              "Your bank will send a small deposit within 2 days. You can pay with this account once it's confirmed.",
            );
          }
          if (result.kind === "processing") {
            return setMessage(
              "Your bank is still confirming this account. You can pay with it once it's confirmed.",
            );
          }
          const { method } = result;
          if (method) selectAddedMethod(method, next);
          toast("Bank account linked", "success");
          goBack(next ? { href: next } : { to: "/wallet" });
        },
        onError: (error) =>
          setMessage(error instanceof MethodRejectedError ? error.message : errorMessage(error)),
      },
    );
  };
  return { submit, isPending: add.isPending, message };
}
