import { useQuery } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import Compass from "lucide-react/icons/compass";
import House from "lucide-react/icons/house";
import Receipt from "lucide-react/icons/receipt";
import UserRound from "lucide-react/icons/user-round";
import Wallet from "lucide-react/icons/wallet";
import type { LucideIcon } from "lucide-react/types";
import type { ReactNode } from "react";
import { activeOrdersQuery } from "./queries";
import { useSession } from "./session";

/** The tabs of the app. A route's `staticData.tab` names the tab that it belongs to. */
export type Tab = "home" | "explore" | "orders" | "my-joe" | "account";

const TABS = [
  { tab: "home", to: "/", label: "Home", icon: House },
  { tab: "explore", to: "/explore", label: "Explore", icon: Compass },
  { tab: "orders", to: "/orders", label: "Orders", icon: Receipt },
  { tab: "my-joe", to: "/my-joe", label: "My Joe", icon: Wallet },
  { tab: "account", to: "/account", label: "Account", icon: UserRound },
] as const satisfies readonly { tab: Tab; to: LinkProps["to"]; label: string; icon: LucideIcon }[];

export function BottomNav({ current }: { current: Tab }): ReactNode {
  const activeOrders = useActiveOrderCount();
  return (
    <nav
      aria-label="Main"
      className="mx-auto grid w-full max-w-page grid-cols-5 bg-surface px-2 pt-1.5 pb-[max(0.5rem,env(safe-area-inset-bottom))] shadow-[0_-1px_0_var(--line)]"
    >
      {TABS.map(({ tab, to, label, icon: Icon }) => {
        const isCurrent = tab === current;
        const hasDot = tab === "orders" && activeOrders > 0;
        return (
          <Link
            key={tab}
            to={to}
            aria-current={isCurrent ? "page" : undefined}
            className={`t-tag grid min-h-13 content-center justify-items-center gap-0.5 text-[min(0.75rem,4.1vw)] ${isCurrent ? "font-bold text-accent" : "font-medium text-ink-2"}`}
          >
            <span className="relative">
              <Icon aria-hidden="true" size={24} strokeWidth={isCurrent ? 2.1 : 1.75} />
              {hasDot && (
                <span className="absolute top-0 -right-0.5 size-[9px] rounded-full bg-badge ring-2 ring-surface">
                  <span className="sr-only">Order in progress: </span>
                </span>
              )}
            </span>
            {label}
          </Link>
        );
      })}
    </nav>
  );
}

function useActiveOrderCount(): number {
  const session = useSession();
  const { data } = useQuery({ ...activeOrdersQuery(session?.id ?? ""), enabled: Boolean(session) });
  return data?.orders.length ?? 0;
}
