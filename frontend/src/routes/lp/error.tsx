import { createFileRoute, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Page } from "@/shell/Page";
import { buttonVariants } from "@/ui/button-variants";
import { Empty } from "@/ui/Empty";

export const Route = createFileRoute("/lp/error")({
  component: ErrorLanding,
});

/** The generic error page (specification section 8). */
function ErrorLanding(): ReactNode {
  return (
    <Page>
      <Empty
        heading="h1"
        title="Something went wrong"
        action={
          <Link to="/" className={buttonVariants("solid")}>
            Go to home
          </Link>
        }
      >
        <p>If you were paying, check your orders first: if your order isn't there, you weren't charged.</p>
      </Empty>
    </Page>
  );
}
