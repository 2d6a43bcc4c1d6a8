import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, redirect } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { object, string } from "valibot";
import { ApiError } from "@/api/errors";
import { Landing } from "@/features/landing/Landing";
import { inactiveUsersQuery, landingPageQuery } from "@/features/landing/queries";
import { searchParam } from "@/lib/search";
import { Page } from "@/shell/Page";
import { invitationItem } from "@/state/invitation";
import { Loading, SkeletonBlock, SkeletonLine } from "@/ui/Skeleton";

/** The path below `/lp` of the page that share codes lead to. */
const INACTIVE_USERS = "inactive-users";

export const Route = createFileRoute("/lp/$")({
  validateSearch: object({ shareCode: searchParam(string()) }),
  loaderDeps: ({ search: { shareCode } }) => ({ shareCode }),
  loader: async ({ context: { queryClient }, params: { _splat: slug = "" }, deps: { shareCode = "" } }) => {
    try {
      if (slug === INACTIVE_USERS) await queryClient.ensureQueryData(inactiveUsersQuery(shareCode));
      else await queryClient.ensureQueryData(landingPageQuery(slug));
    } catch (error) {
      // An unknown slug or share code. Other errors have a screen that tries again.
      if (error instanceof ApiError && [400, 404, 422].includes(error.status))
        throw redirect({ to: "/lp/error", search: { isLinkUnknown: true } });
      throw error;
    }
  },
  component: LandingScreen,
  pendingComponent: LandingSkeleton,
});

function LandingScreen(): ReactNode {
  const { _splat: slug = "" } = Route.useParams();
  const { shareCode = "" } = Route.useSearch();
  return slug === INACTIVE_USERS ? <Invitation shareCode={shareCode} /> : <Campaign slug={slug} />;
}

function Campaign({ slug }: { slug: string }): ReactNode {
  const { data: page } = useSuspenseQuery(landingPageQuery(slug));
  return <Landing page={page} />;
}

/** The page that a friend's link leads to. The code is used when a new consumer signs in. */
function Invitation({ shareCode }: { shareCode: string }): ReactNode {
  const { data } = useSuspenseQuery(inactiveUsersQuery(shareCode));
  const { firstName, friendPoints, shareCode: code } = data.invitation;
  return (
    <Landing page={data.page} onFollow={() => invitationItem.set(code)}>
      <p className="num rounded-card bg-surface p-4">
        {firstName || "A friend"} invited you. Sign in, and you get {friendPoints} points when you pick up
        your first order.
      </p>
    </Landing>
  );
}

function LandingSkeleton(): ReactNode {
  return (
    <Page>
      <Loading label="Loading the page">
        <SkeletonBlock className="h-72 rounded-none" />
        <div className="grid gap-4 px-gutter pt-7">
          <SkeletonLine className="h-8 w-3/4" />
          <SkeletonLine className="w-full" />
          <SkeletonLine className="w-2/3" />
        </div>
      </Loading>
    </Page>
  );
}
