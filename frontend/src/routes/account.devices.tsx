import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { KnownDeviceRow, SignedInDeviceRow } from "@/features/account/DeviceRow";
import { sessionsQuery } from "@/features/account/queries";
import { Header } from "@/shell/Header";
import { Page } from "@/shell/Page";
import { requireSession } from "@/shell/session";
import { Loading, SkeletonRows } from "@/ui/Skeleton";

export const Route = createFileRoute("/account/devices")({
  staticData: { tab: "account" },
  beforeLoad: requireSession,
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(sessionsQuery);
  },
  component: Devices,
  pendingComponent: DevicesSkeleton,
});

function Devices(): ReactNode {
  const { data } = useSuspenseQuery(sessionsQuery);
  return (
    <Page header={<Header title="Devices" up={{ to: "/account" }} />}>
      <div className="grid gap-8 px-gutter pt-2">
        <section>
          <h2 className="t-heading">Signed in</h2>
          <ul aria-label="Signed in" className="divide-y divide-line">
            {data.sessions.map((device) => (
              <SignedInDeviceRow key={device.sessionId} device={device} />
            ))}
          </ul>
        </section>
        {data.knownDevices.length > 0 && (
          <section>
            <h2 className="t-heading">Signed out</h2>
            <p className="t-small mt-1 text-ink-2">
              We remember these devices, so you can always sign in on them. Forget the ones you don't use.
            </p>
            <ul aria-label="Signed out" className="divide-y divide-line">
              {data.knownDevices.map((device) => (
                <KnownDeviceRow key={device.deviceId} device={device} />
              ))}
            </ul>
          </section>
        )}
      </div>
    </Page>
  );
}

function DevicesSkeleton(): ReactNode {
  return (
    <Page header={<Header title="Devices" up={{ to: "/account" }} />}>
      <Loading label="Loading your devices">
        <div className="px-gutter pt-2">
          <SkeletonRows count={3} />
        </div>
      </Loading>
    </Page>
  );
}
