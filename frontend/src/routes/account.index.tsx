import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import LogOut from "lucide-react/icons/log-out";
import MessageSquare from "lucide-react/icons/message-square";
import Monitor from "lucide-react/icons/monitor";
import Moon from "lucide-react/icons/moon";
import Pencil from "lucide-react/icons/pencil";
import Smartphone from "lucide-react/icons/smartphone";
import Sun from "lucide-react/icons/sun";
import { type ReactNode, useState } from "react";
import { formatPhone, toPhoneDigits } from "@/features/sign-in/phone";
import { Header } from "@/shell/Header";
import { modals } from "@/shell/modals";
import { Page } from "@/shell/Page";
import { sessionQuery } from "@/shell/queries";
import { logout, requireSession } from "@/shell/session";
import { device } from "@/state/device";
import { useItem } from "@/state/device-item";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";
import { IconButton } from "@/ui/IconButton";
import { SegmentedControl } from "@/ui/SegmentedControl";
import { Loading, SkeletonBlock } from "@/ui/Skeleton";
import { toast } from "@/ui/toast";

export const Route = createFileRoute("/account/")({
  staticData: { tab: "account" },
  head: () => ({ meta: [{ title: "Account · Order Ahead" }] }),
  beforeLoad: requireSession,
  component: Account,
  pendingComponent: AccountSkeleton,
});

function Account(): ReactNode {
  const { data: profile } = useSuspenseQuery(sessionQuery);
  if (!profile) return null;
  const name = [profile.firstName, profile.lastName].filter(Boolean).join(" ");
  const editName = () =>
    modals.load("name", () => import("@/features/account/NameSheet"), {
      firstName: profile.firstName,
      lastName: profile.lastName,
    });
  const sendFeedback = () => modals.load("feedback", () => import("@/features/account/FeedbackSheet"), {});
  return (
    <Page header={<Header large title="Account" />}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8 px-gutter pt-2">
        <section className="flex items-center gap-4 rounded-card bg-surface p-5">
          <div className="min-w-0 flex-1">
            <h2 className="t-title">{name || "Your account"}</h2>
            <p className="t-small num mt-1 text-ink-2">+1 {formatPhone(toPhoneDigits(profile.phone))}</p>
            {profile.email && <p className="t-small truncate text-ink-2">{profile.email}</p>}
          </div>
          <IconButton icon={Pencil} label="Edit your name" onClick={editName} />
        </section>
        <section className="grid gap-3">
          <h2 className="t-heading">Appearance</h2>
          <ThemeSwitch />
        </section>
        <div className="flex flex-wrap gap-3">
          <Link to="/account/devices" className={buttonVariants("soft")}>
            <Smartphone aria-hidden="true" size={20} /> Devices
          </Link>
          <Button variant="soft" onClick={sendFeedback}>
            <MessageSquare aria-hidden="true" size={20} /> Send feedback
          </Button>
        </div>
        <SignOut />
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

function SignOut(): ReactNode {
  const queryClient = useQueryClient();
  const navigate = Route.useNavigate();
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    try {
      await logout(queryClient);
    } catch {
      toast("Signed out on this device. We couldn't reach the server.", "error");
    }
    await navigate({ to: "/sign-in/getting-started" });
  };
  return (
    <div>
      <Button variant="line" busy={busy} onClick={submit}>
        <LogOut aria-hidden="true" size={20} /> Sign out
      </Button>
    </div>
  );
}

function AccountSkeleton(): ReactNode {
  return (
    <Page header={<Header large title="Account" />}>
      <Loading>
        <div className="grid gap-8 px-gutter pt-2">
          <SkeletonBlock className="h-28" />
          <SkeletonBlock className="h-20" />
        </div>
      </Loading>
    </Page>
  );
}
