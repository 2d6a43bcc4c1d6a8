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
    /** The number that a code was sent to. In the history entry, so that no address or log holds it. */
    signIn?: { phone: string; resendAfterSeconds: number };
  }
}

export const Route = createFileRoute("/sign-in/verify")({
  validateSearch: nextSearch,
  head: () => ({ meta: [{ title: "Your code · Order Ahead" }] }),
  component: Verify,
});

/** The code, then the name of who is new. Reloaded in between, it carries on with what is missing. */
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
