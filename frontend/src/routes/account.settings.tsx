import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import CreditCard from "lucide-react/icons/credit-card";
import Monitor from "lucide-react/icons/monitor";
import Moon from "lucide-react/icons/moon";
import RefreshCw from "lucide-react/icons/refresh-cw";
import Smartphone from "lucide-react/icons/smartphone";
import Sun from "lucide-react/icons/sun";
import UserX from "lucide-react/icons/user-x";
import type { ReactNode } from "react";
import { NotificationSwitches } from "@/features/account/NotificationSwitches";
import { settingsQuery } from "@/features/account/queries";
import { formatRule, formatRuleState } from "@/features/wallet/auto-reload";
import { Header } from "@/shell/Header";
import { Page } from "@/shell/Page";
import { RowLink } from "@/shell/RowLink";
import { requireSession, useSession } from "@/shell/session";
import { device } from "@/state/device";
import { useItem } from "@/state/device-item";
import { RowGroup } from "@/ui/Row";
import { SegmentedControl } from "@/ui/SegmentedControl";
import { Loading, SkeletonBlock } from "@/ui/Skeleton";

export const Route = createFileRoute("/account/settings")({
  staticData: { tab: "account" },
  beforeLoad: requireSession,
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(settingsQuery);
  },
  component: SettingsScreen,
  pendingComponent: SettingsSkeleton,
});

const header = <Header title="Settings" up={{ to: "/account" }} />;

function SettingsScreen(): ReactNode {
  const { data: settings } = useSuspenseQuery(settingsQuery);
  const session = useSession();
  const { autoReload } = settings;
  return (
    <Page header={header}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-7 px-gutter pt-4">
        <section className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
          <h2 className="t-heading">Notifications</h2>
          <p className="t-small text-ink-2">
            When your order is ready, late, canceled or refunded, and when you get a gift card.
          </p>
          {session && (
            <NotificationSwitches
              notifications={settings.notifications}
              profile={session}
              pushKey={settings.pushKey}
            />
          )}
        </section>
        <section className="grid gap-2.5">
          <h2 className="t-heading">Appearance</h2>
          <ThemeSwitch />
        </section>
        <RowGroup title="Paying">
          <RowLink to="/wallet" icon={CreditCard} label="Default payment method" />
          <RowLink
            to="/wallet/auto-reload"
            icon={RefreshCw}
            label="Auto-reload"
            detail={autoReload ? formatRule(autoReload) : "We can't load this right now"}
            suffix={
              autoReload && (
                <span className="t-small text-ink-2">{formatRuleState(autoReload, new Date())}</span>
              )
            }
          />
        </RowGroup>
        <RowGroup title="Your account">
          <RowLink to="/account/devices" icon={Smartphone} label="Devices" detail="Where you're signed in" />
          <RowLink to="/account/delete" icon={UserX} label="Delete account" />
        </RowGroup>
      </div>
    </Page>
  );
}

function ThemeSwitch(): ReactNode {
  const theme = useItem(device.theme);
  return (
    <SegmentedControl
      label="Appearance"
      value={theme}
      onChange={device.theme.set}
      options={[
        { value: "system", label: "System", icon: Monitor },
        { value: "light", label: "Light", icon: Sun },
        { value: "dark", label: "Dark", icon: Moon },
      ]}
    />
  );
}

function SettingsSkeleton(): ReactNode {
  return (
    <Page header={header}>
      <Loading label="Loading your settings">
        <div className="grid gap-7 px-gutter pt-4">
          <SkeletonBlock className="h-60" />
          <SkeletonBlock className="h-20" />
          <SkeletonBlock className="h-32" />
        </div>
      </Loading>
    </Page>
  );
}
