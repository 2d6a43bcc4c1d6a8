import { createFileRoute, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { boolean, object } from "valibot";
import { searchParam } from "@/lib/search";
import { Page } from "@/shell/Page";
import { buttonVariants } from "@/ui/button-variants";
import { Empty } from "@/ui/Empty";

export const Route = createFileRoute("/lp/error")({
  validateSearch: object({ isLinkUnknown: searchParam(boolean()) }),
  component: ErrorLanding,
});

/** The generic error page (specification section 8). */
function ErrorLanding(): ReactNode {
  const { isLinkUnknown } = Route.useSearch();
  return (
    <Page>
      <Empty
        heading="h1"
        title={isLinkUnknown ? "This link doesn't work anymore" : "Something went wrong"}
        action={
          <Link to="/" className={buttonVariants("solid")}>
            Go to home
          </Link>
        }
      >
        {isLinkUnknown ? <p>Ask for a new one, or start from home.</p> : <PaymentHint />}
      </Empty>
    </Page>
  );
}

const LINK = "font-semibold text-accent underline underline-offset-2";

/** The payment may have been made: the error may be a lost response. */
function PaymentHint(): ReactNode {
  return (
    <p>
      If you were paying, check your{" "}
      <Link to="/orders" className={LINK}>
        orders
      </Link>{" "}
      and your{" "}
      <Link to="/wallet" className={LINK}>
        wallet
      </Link>{" "}
      before you try again.
    </p>
  );
}
