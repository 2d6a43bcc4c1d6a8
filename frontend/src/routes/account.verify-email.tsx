import { createFileRoute } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { object, string } from "valibot";
import { errorMessage, isRetriable } from "@/api/errors";
import { useVerifyEmail } from "@/features/account/mutations";
import { SettingsLink } from "@/features/account/SettingsLink";
import { searchParam } from "@/lib/search";
import { BackButton } from "@/shell/Header";
import { Page } from "@/shell/Page";
import { requireSession, useSession } from "@/shell/session";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";

export const Route = createFileRoute("/account/verify-email")({
  validateSearch: object({ token: searchParam(string()) }),
  beforeLoad: requireSession,
  component: VerifyEmail,
});

/** Where the link that verifies an email address leads. A button, because mail programs open links to check them. */
function VerifyEmail(): ReactNode {
  const { token = "" } = Route.useSearch();
  const verifyEmail = useVerifyEmail();
  const { error } = verifyEmail;
  const verify = (label: string) => (
    <Button busy={verifyEmail.isPending} onClick={() => verifyEmail.mutate(token)}>
      {label}
    </Button>
  );
  const email = useSession()?.email || "your email address";
  if (verifyEmail.isSuccess) {
    return (
      <Result title="Your email is verified" action={<SettingsLink />}>
        {`We'll send your updates to ${email}.`}
      </Result>
    );
  }
  if (error) {
    return (
      <Result title="That didn't work" action={isRetriable(error) ? verify("Try again") : <SettingsLink />}>
        {errorMessage(error)}
      </Result>
    );
  }
  return (
    <Result title="Verify your email" action={verify("Verify")}>
      {`Get your order updates at ${email}.`}
    </Result>
  );
}

interface ResultProps {
  title: string;
  action: ReactNode;
  children: ReactNode;
}

function Result({ title, action, children }: ResultProps): ReactNode {
  return (
    <Page
      header={
        <div className="px-2.5 pt-2">
          <BackButton up={{ to: "/account/settings" }} />
        </div>
      }
    >
      <Empty heading="h1" title={title} action={action}>
        <p role="status">{children}</p>
      </Empty>
    </Page>
  );
}
