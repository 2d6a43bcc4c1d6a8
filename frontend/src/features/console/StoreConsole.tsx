import { useQuery, useQueryClient } from "@tanstack/react-query";
import CloudOff from "lucide-react/icons/cloud-off";
import { type ReactNode, useEffect, useState } from "react";
import { errorMessage, isUnauthorized } from "@/api/errors";
import { formatTime } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Loading, SkeletonBlock } from "@/ui/Skeleton";
import { arrangeBoard, type Step } from "./board";
import { ConsoleHeader } from "./ConsoleHeader";
import "./console.css";
import { MakeNow } from "./MakeNow";
import { endSession, useStep } from "./mutations";
import { QueueTicket } from "./QueueTicket";
import { queueQuery, type StaffSession, type StoreOrder, staffSessionQuery } from "./queries";
import { RejectSheet } from "./RejectSheet";
import { Shelf } from "./Shelf";
import { SignInForm } from "./SignInForm";
import { SoldOutSheet } from "./SoldOutSheet";
import { useNewOrderSound } from "./sound";
import { useQueueStream } from "./use-queue-stream";

const CLOCK_INTERVAL_MS = 10_000;

/** The console of a store: sign-in, then the board. */
export function StoreConsole(): ReactNode {
  const { data: session, error, refetch } = useQuery(staffSessionQuery);
  if (session) return <ConsoleBoard session={session} />;
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

function ConsoleBoard({ session }: { session: StaffSession }): ReactNode {
  const queryClient = useQueryClient();
  const isLive = useQueueStream(session.storeId);
  const queue = useQuery(queueQuery(session.storeId, isLive));
  const now = useNow(CLOCK_INTERVAL_MS);
  const sound = useNewOrderSound(queue.data);
  const step = useStep(session.storeId);
  const [rejected, setRejected] = useState<StoreOrder>();
  const [isRejecting, setRejecting] = useState(false);
  const [isSellingOut, setSellingOut] = useState(false);
  const hasEnded = isUnauthorized(queue.error);
  useEffect(() => {
    if (hasEnded) endSession(queryClient);
  }, [hasEnded, queryClient]);

  const isConnected = queue.failureCount === 0 && !queue.isError;
  const board = arrangeBoard(queue.data ?? []);
  const busyOrderId = step.isPending ? step.variables.orderId : undefined;
  const onStep = (order: StoreOrder, next: Step) => step.mutate({ orderId: order.orderId, step: next });
  const onReject = (order: StoreOrder) => {
    setRejected(order);
    setRejecting(true);
  };
  return (
    <div className="console">
      <ConsoleHeader
        session={session}
        orderCount={queue.data?.length ?? 0}
        isConnected={isConnected}
        onSoldOut={() => setSellingOut(true)}
        sound={sound}
        now={now}
      />
      <div role="status" className="console-banners">
        {!isConnected && <LostConnection updatedAt={queue.dataUpdatedAt} timeZone={session.timeZone} />}
        {session.openState === "paused" && (
          <p className="console-banner">New orders are paused. Resume when you're ready for more.</p>
        )}
      </div>
      {queue.data ? (
        <main className="console-board">
          <MakeNow
            order={board.now}
            now={now}
            isBusy={busyOrderId !== undefined && busyOrderId === board.now?.orderId}
            onStep={onStep}
            onReject={onReject}
          />
          <section aria-labelledby="console-next" className="console-queue">
            <h2 id="console-next" className="t-heading">
              Next, in make order
            </h2>
            {board.next.length === 0 && <p className="t-small mt-3 text-ink-2">No more orders for now.</p>}
            <ol className="console-tickets">
              {board.next.map((order, index) => (
                <QueueTicket
                  key={order.orderId}
                  order={order}
                  position={index + 1}
                  now={now}
                  isBusy={order.orderId === busyOrderId}
                  onStep={onStep}
                  onReject={onReject}
                />
              ))}
            </ol>
          </section>
          <Shelf orders={board.shelf} busyOrderId={busyOrderId} onStep={onStep} />
        </main>
      ) : (
        <ConsoleSkeleton />
      )}
      <SoldOutSheet storeId={session.storeId} open={isSellingOut} onClose={() => setSellingOut(false)} />
      {rejected && <RejectSheet order={rejected} open={isRejecting} onClose={() => setRejecting(false)} />}
    </div>
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

function ConsoleSkeleton(): ReactNode {
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
