import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import LogOut from "lucide-react/icons/log-out";
import { type ReactNode, useEffect } from "react";
import { object } from "valibot";
import { ProfileCard } from "@/features/account/ProfileCard";
import { settingsQuery, userInfoQuery } from "@/features/account/queries";
import { type AccountSheet, accountSheet } from "@/features/account/sheet-names";
import { formatPhone, toPhoneDigits } from "@/features/sign-in/phone";
import { searchParam } from "@/lib/search";
import { Header } from "@/shell/Header";
import { InboxButton } from "@/shell/InboxButton";
import { Page } from "@/shell/Page";
import { type Profile, sessionQuery } from "@/shell/queries";
import { requireSession } from "@/shell/session";
import { logout } from "@/shell/sign-out";
import { device } from "@/state/device";
import { useItem } from "@/state/device-item";
import { Button } from "@/ui/Button";
import { Loading, SkeletonBlock } from "@/ui/Skeleton";
import { toast } from "@/ui/toast";
import { AccountMenu } from "./-account-menu";
import { openAccountSheet } from "./-account-sheets";

export const Route = createFileRoute("/account/")({
  staticData: { tab: "account" },
  /** `sheet`: the sheet to open. */
  validateSearch: object({ sheet: searchParam(accountSheet) }),
  beforeLoad: requireSession,
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(userInfoQuery);
    void queryClient.prefetchQuery(settingsQuery);
  },
  component: Account,
  pendingComponent: AccountSkeleton,
});

function Account(): ReactNode {
  const { data: profile } = useSuspenseQuery(sessionQuery);
  useSheetOfAddress(profile);
  if (!profile) return null;
  const open = (opened: AccountSheet) => openAccountSheet(opened, profile);
  return (
    <Page header={<Header large title="Account" actions={<InboxButton />} />}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-7 px-gutter pt-2">
        <ProfileCard
          profile={profile}
          phone={`+1 ${formatPhone(toPhoneDigits(profile.phone))}`}
          onEdit={() => open("profile")}
          onEditPhoto={() => open("photo")}
        />
        <AccountMenu profile={profile} onOpen={open} />
        <SignOut />
        <Version />
      </div>
    </Page>
  );
}

/** Opens the sheet that the address names, and removes it from the address, so that Back does not open it again. */
function useSheetOfAddress(profile: Profile | null): void {
  const { sheet } = Route.useSearch();
  const navigate = Route.useNavigate();
  useEffect(() => {
    if (!sheet || !profile) return;
    openAccountSheet(sheet, profile);
    // Without a transition, which would end that of the visit.
    void navigate({ search: {}, replace: true, viewTransition: false });
  }, [sheet, profile, navigate]);
}

function SignOut(): ReactNode {
  const queryClient = useQueryClient();
  const navigate = Route.useNavigate();
  const submit = () => {
    logout(queryClient).catch(() =>
      toast("Signed out on this device. We'll finish signing you out once we're connected."),
    );
    void navigate({ to: "/sign-in/getting-started" });
  };
  return (
    <div>
      <Button variant="line" onClick={submit}>
        <LogOut aria-hidden="true" size={20} /> Sign out
      </Button>
    </div>
  );
}

/** The version of the native shell, and the build of the web app, for questions to support. */
function Version(): ReactNode {
  const version = useItem(device.deviceVersion);
  const build = document.querySelector<HTMLMetaElement>('meta[name="build-id"]')?.content.slice(0, 8);
  return (
    <p className="t-small num text-ink-3">
      Version {version}
      {build && `, build ${build}`}
    </p>
  );
}

function AccountSkeleton(): ReactNode {
  return (
    <Page header={<Header large title="Account" />}>
      <Loading label="Loading your account">
        <div className="grid gap-7 px-gutter pt-2">
          <SkeletonBlock className="h-32" />
          <SkeletonBlock className="h-40" />
          <SkeletonBlock className="h-72" />
        </div>
      </Loading>
    </Page>
  );
}
