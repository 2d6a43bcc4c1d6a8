import { createFileRoute, Link, Navigate, useLocation } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { NameForm } from "@/features/account/NameForm";
import { CodeForm } from "@/features/sign-in/CodeForm";
import { formatPhone, toPhoneDigits } from "@/features/sign-in/phone";
import { StepScene } from "@/features/sign-in/StepScene";
import { Header } from "@/shell/Header";
import { nextSearch } from "@/shell/next";
import { Page } from "@/shell/Page";
import { Redirect } from "@/shell/Redirect";
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

/** How full the glass is with the whole code. The name fills it up. */
const CODE_FILL = 0.8;

/** Asks for the code, then for the name of a new consumer. A reload continues with the missing step. */
function Verify(): ReactNode {
  const { next = "/" } = Route.useSearch();
  const { signIn } = useLocation({ select: ({ state }) => state });
  // The first state: that of the next screen is visible here before it is left.
  const [sent] = useState(signIn);
  const session = useSession();
  const [done, setDone] = useState(false);
  const [typed, setTyped] = useState(0);
  if (done || session?.firstName) return <Redirect to={next} />;
  if (session) {
    return (
      <Step title="What's your name?" fill={1}>
        <NameForm submitLabel="Start ordering" onSaved={() => setDone(true)} />
      </Step>
    );
  }
  if (!sent) return <Navigate to="/sign-in/getting-started" search={{ next }} replace />;
  return (
    <Step title="Check your messages" fill={typed * CODE_FILL}>
      <p className="-mt-2 mb-6 text-ink-2">
        We sent a code to{" "}
        <span className="num whitespace-nowrap">{formatPhone(toPhoneDigits(sent.phone))}</span>.{" "}
        <Link
          to="/sign-in/getting-started"
          search={{ next }}
          replace
          className="whitespace-nowrap font-semibold text-accent underline-offset-2 hover:underline"
        >
          Change number
        </Link>
      </p>
      <CodeForm
        phone={sent.phone}
        resendAfter={sent.resendAfterSeconds}
        onProgress={setTyped}
        onVerified={(isNew) => setDone(!isNew)}
      />
    </Step>
  );
}

interface StepProps {
  title: string;
  /** Of the glass, 0 to 1. */
  fill: number;
  children: ReactNode;
}

function Step({ title, fill, children }: StepProps): ReactNode {
  return (
    <Page header={<Header title="Sign in" up={{ to: "/sign-in/getting-started" }} />}>
      <StepScene fill={fill} />
      <div className="flex flex-1 flex-col px-gutter pt-6">
        <h2 className="t-display mb-4">{title}</h2>
        {children}
      </div>
    </Page>
  );
}
