import { createFileRoute, Navigate, useLocation } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { NameForm } from "@/features/account/NameForm";
import { CodeForm } from "@/features/sign-in/CodeForm";
import { formatPhone, toPhoneDigits } from "@/features/sign-in/phone";
import { Header } from "@/shell/Header";
import { nextSearch } from "@/shell/next";
import { Page } from "@/shell/Page";
import { useSession } from "@/shell/session";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The phone number of the code. In the history state, so that URLs and logs do not contain it. */
    signIn?: { phone: string; resendAfterSeconds: number };
  }
}

export const Route = createFileRoute("/sign-in/verify")({
  validateSearch: nextSearch,
  component: Verify,
});

/** Asks for the code, then for the name of a new consumer. A reload continues with the missing step. */
function Verify(): ReactNode {
  const { next = "/" } = Route.useSearch();
  const sent = useLocation({ select: ({ state }) => state.signIn });
  const session = useSession();
  const [done, setDone] = useState(false);
  if (done || session?.firstName) return <Navigate to={next} replace />;
  if (session) {
    return (
      <Step title="What's your name?">
        <NameForm submitLabel="Start ordering" onSaved={() => setDone(true)} />
      </Step>
    );
  }
  if (!sent) return <Navigate to="/sign-in/getting-started" search={{ next }} replace />;
  return (
    <Step title="Check your messages">
      <p className="-mt-2 mb-6 text-ink-2">
        We sent a code to{" "}
        <span className="num whitespace-nowrap">{formatPhone(toPhoneDigits(sent.phone))}</span>.
      </p>
      <CodeForm
        phone={sent.phone}
        resendAfter={sent.resendAfterSeconds}
        onVerified={(isNew) => setDone(!isNew)}
      />
    </Step>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <Page header={<Header title="Sign in" up={{ to: "/sign-in/getting-started" }} />}>
      <div className="flex flex-1 flex-col px-gutter pt-6">
        <h2 className="t-display mb-4">{title}</h2>
        {children}
      </div>
    </Page>
  );
}
