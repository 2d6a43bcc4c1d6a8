import { createFileRoute, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Page } from "@/shell/Page";
import { Empty } from "@/ui/Empty";
import { look } from "@/ui/press";

export const Route = createFileRoute("/lp/error")({
  head: () => ({ meta: [{ title: "Something went wrong · Order Ahead" }] }),
  component: ErrorLanding,
});

/** Where the generic handler leads: what happened, what did not, and the way on. */
function ErrorLanding(): ReactNode {
  return (
    <Page>
      <Empty
        heading="h1"
        title="We spilled something"
        action={
          <Link to={"/" as string} className={look("solid")}>
            Back to home
          </Link>
        }
      >
        <p>
          Something went wrong on our side, and we have been told. If you were paying, look at your orders
          first: an order that is not there was not charged.
        </p>
      </Empty>
    </Page>
  );
}
