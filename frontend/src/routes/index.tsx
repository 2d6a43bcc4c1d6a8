import { createFileRoute } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { preload } from "react-dom";
import { drawings } from "@/art/LazyItemArt";
import { formatGreeting } from "@/features/home/greeting";
import { HomeSkeleton, NearStoresSkeleton } from "@/features/home/HomeSkeletons";
import { Welcome } from "@/features/home/Welcome";
import latte from "@/features/home/welcome-latte.svg";
import { storesQuery } from "@/features/stores/queries";
import { deferModule } from "@/lib/defer-module";
import { useNow } from "@/lib/use-now";
import { Header } from "@/shell/Header";
import { InboxButton } from "@/shell/InboxButton";
import { Page } from "@/shell/Page";
import type { Profile } from "@/shell/queries";
import { useSession } from "@/shell/session";
import { device } from "@/state/device";
import { useItem } from "@/state/device-item";
import { SkeletonBlock } from "@/ui/Skeleton";

export const Route = createFileRoute("/")({
  staticData: { tab: "home" },
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(storesQuery(null, {}, "", STORE_COUNT));
    void homeStores.load();
    // The device has a profile, so the consumer is most likely signed in: preload that part of home.
    if (device.user.get()) {
      void signedIn.load();
      void drawings.load();
    } else {
      preload(latte, { as: "image" });
    }
  },
  component: Home,
});

const STORE_COUNT = 3;

const signedIn = deferModule(() => import("./-home-signed-in"));
const bookmark = deferModule(() => import("./-home-bookmark"));
/** Not part of the first script: the list of stores arrives later anyway. */
const homeStores = deferModule(() => import("./-home-stores"));

function Home(): ReactNode {
  const session = useSession();
  const now = useNow(10_000);
  // The address is read after the first paint.
  const hasBookmark = useItem(device.bookmark) !== null;
  const title = formatGreeting(now, session?.firstName);
  return (
    <Page header={<Header large title={title} actions={<InboxButton />} />}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-7 pt-1">
        {hasBookmark && <Bookmark />}
        {/* Also until the server responds: a device without a profile is most likely signed out, and nothing shifts. */}
        {!session && <Welcome />}
        {session ? (
          <SignedInHome session={session} now={now}>
            <Stores />
          </SignedInHome>
        ) : (
          <Stores withPopular />
        )}
      </div>
    </Page>
  );
}

function Stores(props: { withPopular?: boolean }): ReactNode {
  const module = homeStores.use();
  return module ? <module.HomeStores count={STORE_COUNT} {...props} /> : <NearStoresSkeleton />;
}

function Bookmark(): ReactNode {
  const module = bookmark.use();
  return module ? <module.HomeBookmark /> : <SkeletonBlock className="mx-gutter h-14" />;
}

function SignedInHome(props: { session: Profile; now: Date; children: ReactNode }): ReactNode {
  const module = signedIn.use();
  return module ? <module.SignedInHome {...props} /> : <HomeSkeleton />;
}
