import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { object, string } from "valibot";
import { errorMessage, isRetriable } from "@/api/errors";
import { stopNotificationsQuery } from "@/features/account/queries";
import { SettingsLink } from "@/features/account/SettingsLink";
import { searchParam } from "@/lib/search";
import { Page } from "@/shell/Page";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Loading, SkeletonBlock } from "@/ui/Skeleton";

export const Route = createFileRoute("/account/stop-notifications")({
  validateSearch: object({ token: searchParam(string()) }),
  component: StopNotifications,
});

const TITLES: Readonly<Record<string, string>> = {
  push: "Notifications are off",
  sms: "Texts are off",
  email: "Emails are off",
};

/** Where the link in a text message or an email leads. Opening it turns the channel off, also without a session. */
function StopNotifications(): ReactNode {
  const { token = "" } = Route.useSearch();
  const { data, error, refetch } = useQuery(stopNotificationsQuery(token));
  if (error) {
    const again = isRetriable(error) && <Button onClick={() => void refetch()}>Try again</Button>;
    return (
      <Result title="That didn't work" action={again || <SettingsLink />}>
        {errorMessage(error)}
      </Result>
    );
  }
  if (!data) {
    return (
      <Page>
        <Loading label="Turning off notifications">
          <SkeletonBlock className="mx-gutter mt-10 h-40" />
        </Loading>
      </Page>
    );
  }
  return (
    <Result title={TITLES[data.channel] ?? "Notifications are off"} action={<SettingsLink />}>
      You'll still find all messages in your inbox. Sign-in codes aren't affected.
    </Result>
  );
}

interface ResultProps {
  title: string;
  action: ReactNode;
  children: ReactNode;
}

function Result({ title, action, children }: ResultProps): ReactNode {
  return (
    <Page>
      <Empty heading="h1" title={title} action={action}>
        <p>{children}</p>
      </Empty>
    </Page>
  );
}
