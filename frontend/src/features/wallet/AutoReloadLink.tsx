import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import RefreshCw from "lucide-react/icons/refresh-cw";
import type { ReactNode } from "react";
import { formatRule, formatRuleState } from "./auto-reload";
import { addFundsQuery } from "./queries";

/** The rule for automatic reloads in one line. Leads to its settings. */
export function AutoReloadLink(): ReactNode {
  const { data } = useQuery(addFundsQuery);
  return (
    <Link
      to="/wallet/auto-reload"
      className="flex min-h-12 items-center gap-2.5 rounded-choice bg-sunk px-4 py-2 text-ink-2"
    >
      <RefreshCw aria-hidden="true" size={20} strokeWidth={1.75} className="shrink-0" />
      <span className="t-small num flex-1">{data ? formatRule(data.autoReload) : "Auto-reload"}</span>
      {data && (
        <span className="t-small-strong text-accent">{formatRuleState(data.autoReload, new Date())}</span>
      )}
    </Link>
  );
}
