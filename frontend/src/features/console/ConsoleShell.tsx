import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import CloudOff from "lucide-react/icons/cloud-off";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { type ReactNode, useEffect, useState } from "react";
import { errorMessage, isUnauthorized } from "@/api/errors";
import { formatTime } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Loading, SkeletonBlock } from "@/ui/Skeleton";
import { ConsoleHeader } from "./ConsoleHeader";
import { ConsoleContext } from "./console-context";
import "./console.css";
import { endSession } from "./mutations";
import { PauseSheet } from "./PauseSheet";
import { PinPaymentSheet } from "./PinPaymentSheet";
import { queueQuery, type StaffSession, scheduledOrdersQuery, staffSessionQuery } from "./queries";
import { SignInForm } from "./SignInForm";
import { useNewOrderSound } from "./sound";
import { useQueueStream } from "./use-queue-stream";

const CLOCK_INTERVAL_MS = 10_000;

/** The console of a store: sign-in, then the header with one of its pages. */
export function ConsoleShell({ children }: { children: ReactNode }): ReactNode {
  const { data: session, error, refetch } = useQuery(staffSessionQuery);
  if (session) return <SignedIn session={session}>{children}</SignedIn>;
  if (session === null) return <SignInForm />;
  if (error) {
    return (
      <main className="flex-1">
        <Empty
          heading="h1"
          title="The console didn't load"
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        >
          <p>{errorMessage(error)}</p>
        </Empty>
      </main>
    );
  }
  return <ConsoleSkeleton />;
}

/** The stream and the sound run on every page, so that no new order is missed. */
function SignedIn({ session, children }: { session: StaffSession; children: ReactNode }): ReactNode {
  const queryClient = useQueryClient();
  const isLive = useQueueStream(session.storeId);
  const queue = useQuery(queueQuery(session.storeId, isLive));
  const now = useNow(CLOCK_INTERVAL_MS);
  const sound = useNewOrderSound(queue.data);
  const [isPausing, setPausing] = useState(false);
  const [isTakingPin, setTakingPin] = useState(false);
  const hasEnded = isUnauthorized(queue.error);
  useEffect(() => {
    if (hasEnded) endSession(queryClient);
  }, [hasEnded, queryClient]);
  const isConnected = queue.failureCount === 0 && !queue.isError;
  return (
    <ConsoleContext value={{ session, isLive, now }}>
      <div className="console">
        <ConsoleHeader
          session={session}
          orderCount={queue.data?.length ?? 0}
          isConnected={isConnected}
          onPause={() => setPausing(true)}
          onPinPayment={() => setTakingPin(true)}
          sound={sound}
          now={now}
        />
        <div role="status" className="console-banners">
          {!isConnected && <LostConnection updatedAt={queue.dataUpdatedAt} timeZone={session.timeZone} />}
          {session.openState === "paused" && <p className="console-banner">{formatPause(session)}</p>}
          <OutsideHours storeId={session.storeId} />
        </div>
        {children}
      </div>
      <PauseSheet session={session} now={now} open={isPausing} onClose={() => setPausing(false)} />
      <PinPaymentSheet storeId={session.storeId} open={isTakingPin} onClose={() => setTakingPin(false)} />
    </ConsoleContext>
  );
}

function formatPause({ pause, timeZone }: StaffSession): string {
  return pause?.until
    ? `New orders are paused until ${formatTime(pause.until, timeZone)}.`
    : "New orders are paused. Resume when you're ready for more.";
}

/** Scheduled orders that fall outside the opening hours, because the hours changed after they were placed. */
function OutsideHours({ storeId }: { storeId: string }): ReactNode {
  const { data } = useQuery(scheduledOrdersQuery(storeId));
  const count = data?.orders.filter(({ isOutsideHours }) => isOutsideHours).length ?? 0;
  if (count === 0) return null;
  return (
    <p className="console-banner console-banner-lost">
      <TriangleAlert aria-hidden="true" size={20} />
      {count === 1
        ? "1 scheduled order is outside your opening hours."
        : `${count} scheduled orders are outside your opening hours.`}
      <Link to="/store-console/hours" className="underline">
        Move or reject
      </Link>
    </p>
  );
}

function LostConnection({ updatedAt, timeZone }: { updatedAt: number; timeZone: string }): ReactNode {
  return (
    <p className="console-banner console-banner-lost">
      <CloudOff aria-hidden="true" size={20} />
      {updatedAt > 0
        ? `Connection lost. This is the board at ${formatTime(new Date(updatedAt).toISOString(), timeZone)}. Trying again.`
        : "Connection lost. Trying again."}
    </p>
  );
}

export function ConsoleSkeleton(): ReactNode {
  return (
    <main className="flex-1 p-6">
      <Loading label="Loading the board">
        <div className="grid gap-3">
          <SkeletonBlock className="h-24" />
          <SkeletonBlock className="h-24" />
          <SkeletonBlock className="h-24" />
        </div>
      </Loading>
    </main>
  );
}
