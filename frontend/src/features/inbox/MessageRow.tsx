import { Link } from "@tanstack/react-router";
import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import Clock from "lucide-react/icons/clock";
import Coffee from "lucide-react/icons/coffee";
import Gift from "lucide-react/icons/gift";
import MessageCircle from "lucide-react/icons/message-circle";
import Sparkles from "lucide-react/icons/sparkles";
import Trash2 from "lucide-react/icons/trash";
import Undo2 from "lucide-react/icons/undo-2";
import type { LucideIcon } from "lucide-react/types";
import type { ReactNode } from "react";
import { deviceZone, formatDay, formatTimeOfDay } from "@/lib/time";
import { useRemovableRow } from "@/lib/use-removable-row";
import { buttonVariants } from "@/ui/button-variants";
import { IconButton } from "@/ui/IconButton";
import { Tag } from "@/ui/Tag";
import type { Message } from "./queries";

const ICONS: Readonly<Record<string, LucideIcon>> = {
  welcome: Sparkles,
  points_earned: Sparkles,
  gift: Gift,
  gift_card_delivered: Gift,
  gift_card_received: Gift,
  order_ready: Coffee,
  order_delayed: Clock,
  refund_done: Undo2,
  debt_created: CircleAlert,
  payment_failed: CircleAlert,
  payment_returned: CircleAlert,
  order_rejected: Undo2,
  order_cancelled: Undo2,
};

const LINK = buttonVariants("link");

interface MessageRowProps {
  message: Message;
  onRemove: () => void;
  /** What the consumer can do about the message, besides removing it. */
  action?: ReactNode;
}

export function MessageRow({ message, onRemove, action }: MessageRowProps): ReactNode {
  const Icon = ICONS[message.kind] ?? MessageCircle;
  const zone = deviceZone();
  const [row, markRemoved] = useRemovableRow();
  const remove = () => {
    markRemoved();
    onRemove();
  };
  return (
    <li ref={row} className="relative grid grid-cols-[auto_1fr_auto] gap-3 py-3.5">
      <span aria-hidden="true" className="grid size-10 place-items-center rounded-full bg-sunk text-ink-2">
        <Icon size={20} strokeWidth={1.75} />
      </span>
      <div className="min-w-0">
        <h2 className="t-strong">
          {message.title} {!message.seen && <Tag>New</Tag>}
        </h2>
        <p className="t-small text-ink-2">{message.body}</p>
        <p className="t-small num text-ink-3">
          {formatDay(message.at, zone, new Date())}, {formatTimeOfDay(message.at, zone)}
        </p>
        <div className="flex flex-wrap gap-x-5 empty:hidden">
          {action}
          {message.orderId && (
            <Link to="/orders/$orderId" params={{ orderId: message.orderId }} className={LINK}>
              View order
            </Link>
          )}
          {message.kind === "gift_card_received" && (
            <Link to="/wallet/redeem" className={LINK}>
              Redeem your gift card
            </Link>
          )}
        </div>
      </div>
      <IconButton icon={Trash2} label={`Remove: ${message.title}`} onClick={remove} />
    </li>
  );
}
