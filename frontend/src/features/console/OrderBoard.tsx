import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { arrangeBoard, type Step } from "./board";
import { ConsoleSkeleton } from "./ConsoleShell";
import { useConsole } from "./console-context";
import { DelaySheet } from "./DelaySheet";
import { LoadBar } from "./LoadBar";
import { MakeNow } from "./MakeNow";
import { useStep } from "./mutations";
import { PromisedWait } from "./PromisedWait";
import { QueueTicket } from "./QueueTicket";
import { queueQuery, type StoreOrder } from "./queries";
import { RejectSheet } from "./RejectSheet";
import { Shelf } from "./Shelf";

type Opened = { order: StoreOrder; action: "delay" | "reject"; at: Date };

/** What to make now, the next orders in make order, and the shelf. */
export function OrderBoard(): ReactNode {
  const { session, isLive, now } = useConsole();
  const queue = useQuery(queueQuery(session.storeId, isLive));
  const step = useStep(session.storeId);
  const [opened, setOpened] = useState<Opened>();
  const [isOpen, setOpen] = useState(false);
  if (!queue.data) return <ConsoleSkeleton />;

  const board = arrangeBoard(queue.data);
  const busyOrderId = step.isPending ? step.variables.orderId : undefined;
  const open = (next: Omit<Opened, "at">) => {
    setOpened({ ...next, at: now });
    setOpen(true);
  };
  const close = () => setOpen(false);
  const actions = {
    now,
    onStep: (order: StoreOrder, next: Step) => step.mutate({ orderId: order.orderId, step: next }),
    onDelay: (order: StoreOrder) => open({ order, action: "delay" }),
    onReject: (order: StoreOrder) => open({ order, action: "reject" }),
  };
  return (
    <main className="console-board">
      <MakeNow
        {...actions}
        order={board.now}
        isBusy={busyOrderId !== undefined && busyOrderId === board.now?.orderId}
      />
      <section aria-labelledby="console-next" className="console-queue">
        <PromisedWait session={session} />
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h2 id="console-next" className="t-heading">
            Coming up
          </h2>
          <span aria-hidden="true" className="t-small text-ink-2">
            Bar load, next hour
          </span>
        </div>
        <LoadBar storeId={session.storeId} timeZone={session.timeZone} />
        {board.next.length === 0 && <p className="t-small mt-3 text-ink-2">No more orders for now.</p>}
        <ol className="console-tickets">
          {board.next.map((order, index) => (
            <QueueTicket
              {...actions}
              key={order.orderId}
              order={order}
              position={index + 1}
              isBusy={order.orderId === busyOrderId}
            />
          ))}
        </ol>
      </section>
      <Shelf
        storeId={session.storeId}
        orders={board.shelf}
        busyOrderId={busyOrderId}
        onStep={actions.onStep}
      />
      {opened?.action === "reject" && <RejectSheet order={opened.order} open={isOpen} onClose={close} />}
      {opened?.action === "delay" && (
        <DelaySheet order={opened.order} openedAt={opened.at} open={isOpen} onClose={close} />
      )}
    </main>
  );
}
