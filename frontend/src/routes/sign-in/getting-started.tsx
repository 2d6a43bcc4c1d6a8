import { useQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { CounterScene } from "@/features/sign-in/CounterScene";
import { PhoneForm } from "@/features/sign-in/PhoneForm";
import { nextSearch } from "@/shell/next";
import { Page } from "@/shell/Page";
import { sessionQuery } from "@/shell/queries";
import { Redirect } from "@/shell/Redirect";
import { cartItem } from "@/state/cart";
import { useItem } from "@/state/device-item";
import { buttonVariants } from "@/ui/button-variants";
import { Notice } from "@/ui/Notice";

export const Route = createFileRoute("/sign-in/getting-started")({
  validateSearch: nextSearch,
  component: GettingStarted,
});

function GettingStarted(): ReactNode {
  const { next, reason } = Route.useSearch();
  const navigate = Route.useNavigate();
  const hasItems = useItem(cartItem).items.length > 0;
  // Not the copy on the device, whose session may have ended.
  const { data: session } = useQuery(sessionQuery);
  if (session?.firstName) return <Redirect to={next ?? "/"} />;
  return (
    <Page header={<CounterScene />}>
      <div className="flex flex-1 flex-col px-gutter pt-4">
        <h1 tabIndex={-1} className="t-display">
          Skip the line,
          <br />
          not the coffee
        </h1>
        {reason === "session-ended" ? (
          <div className="mt-3 mb-4.5">
            <Notice>
              Your session ended. Sign in again to continue.{hasItems && " Your cart is still here."}
            </Notice>
          </div>
        ) : (
          <p className="mt-2 mb-4.5 text-balance text-ink-2">Order ahead, and it's ready when you walk in.</p>
        )}
        <PhoneForm
          onSent={({ phone, resendAfterSeconds }) =>
            navigate({
              to: "/sign-in/verify",
              search: { next },
              replace: true,
              state: { signIn: { phone, resendAfterSeconds } },
            })
          }
          footer={
            <Link to="/explore" className={buttonVariants("link")}>
              Browse stores first
            </Link>
          }
        />
      </div>
    </Page>
  );
}
