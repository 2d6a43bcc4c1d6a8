import { createFileRoute, Link, type LinkProps } from "@tanstack/react-router";
import ChevronRight from "lucide-react/icons/chevron-right";
import CreditCard from "lucide-react/icons/credit-card";
import Landmark from "lucide-react/icons/landmark";
import type { LucideIcon } from "lucide-react/types";
import type { ReactNode } from "react";
import { object, string } from "valibot";
import { searchParam } from "@/lib/search";
import { Header } from "@/shell/Header";
import { nextFields } from "@/shell/next";
import { Page } from "@/shell/Page";
import { requireSession } from "@/shell/session";

export const Route = createFileRoute("/account/add-payment")({
  validateSearch: object({ ...nextFields, userId: searchParam(string()) }),
  beforeLoad: requireSession,
  component: AddPayment,
});

/**
 * Adds a payment method of any kind. The form replaces this screen in the history, so that a consumer who has added a
 * method is back on the screen that needs it.
 */
function AddPayment(): ReactNode {
  return (
    <Page header={<Header title="Add a payment method" up={{ to: "/wallet" }} />}>
      <ul className="grid gap-3 px-gutter pt-5">
        <Choice to="/account/add-credit-card" icon={CreditCard} title="Credit or debit card">
          Ready to use right away
        </Choice>
        <Choice to="/account/link-bank-account" icon={Landmark} title="Bank account">
          Pay from your US checking or savings account
        </Choice>
      </ul>
      <p className="t-small px-gutter pt-4 text-ink-2">
        Apple Pay and Google Pay show up at checkout when your device has them.
      </p>
    </Page>
  );
}

interface ChoiceProps {
  to: LinkProps["to"] & ("/account/add-credit-card" | "/account/link-bank-account");
  icon: LucideIcon;
  title: string;
  children: ReactNode;
}

function Choice({ to, icon: Icon, title, children }: ChoiceProps): ReactNode {
  const search = Route.useSearch();
  return (
    <li>
      <Link
        to={to}
        search={search}
        replace
        className="edge-hair flex min-h-18 items-center gap-3.5 rounded-choice bg-surface px-4 py-3"
      >
        <Icon aria-hidden="true" size={24} strokeWidth={1.75} className="shrink-0 text-ink-2" />
        <span className="min-w-0 flex-1">
          <b className="t-strong block">{title}</b>
          <span className="t-small block text-ink-2">{children}</span>
        </span>
        <ChevronRight aria-hidden="true" size={20} className="shrink-0 text-accent" />
      </Link>
    </li>
  );
}
