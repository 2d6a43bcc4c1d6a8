import { Link } from "@tanstack/react-router";
import BadgePercent from "lucide-react/icons/badge-percent";
import Coffee from "lucide-react/icons/coffee";
import CreditCard from "lucide-react/icons/credit-card";
import Gift from "lucide-react/icons/gift";
import RefreshCw from "lucide-react/icons/refresh-cw";
import Store from "lucide-react/icons/store";
import Undo2 from "lucide-react/icons/undo-2";
import WalletMinimal from "lucide-react/icons/wallet-minimal";
import type { LucideIcon } from "lucide-react/types";
import type { ReactNode } from "react";
import { formatMoney } from "@/lib/money";
import { deviceZone, formatDayInSentence } from "@/lib/time";
import {
  formatSignedAmount,
  formatTransactionDetail,
  formatTransactionTitle,
  type OrderDetails,
} from "./format";
import type { Transaction } from "./queries";

const ICONS: Readonly<Record<string, LucideIcon>> = {
  order_held: Coffee,
  order_captured: Coffee,
  order_released: Undo2,
  order_refunded: Undo2,
  counter_payment: Store,
  top_up: RefreshCw,
  gift: Gift,
  gift_card: Gift,
  company_card: Gift,
  physical_card: CreditCard,
  deal_bonus: BadgePercent,
  refund_credit: Undo2,
  purchase_returned: Undo2,
};

interface ActivityProps {
  transactions: readonly Transaction[];
  /** Loaded orders by id. */
  orders: ReadonlyMap<string, OrderDetails>;
  /** Names the balance of each transaction, for a list of several balances. */
  showsBalance?: boolean;
  /** Links transactions to their orders. */
  linked?: boolean;
}

/** Transactions with their details and the remaining balance. */
export function Activity({
  transactions,
  orders,
  showsBalance = false,
  linked = false,
}: ActivityProps): ReactNode {
  return (
    <ul aria-label="Transactions" className="divide-y divide-line">
      {transactions.map((transaction) => (
        <TransactionRow
          key={transaction.transactionId}
          transaction={transaction}
          order={transaction.orderId === null ? undefined : orders.get(transaction.orderId)}
          showsBalance={showsBalance}
          linked={linked}
        />
      ))}
    </ul>
  );
}

interface TransactionRowProps extends Required<Pick<ActivityProps, "showsBalance" | "linked">> {
  transaction: Transaction;
  order: OrderDetails | undefined;
}

function TransactionRow({ transaction, order, showsBalance, linked }: TransactionRowProps): ReactNode {
  const Icon = ICONS[transaction.kind] ?? WalletMinimal;
  const day = formatDayInSentence(transaction.at, deviceZone(), new Date());
  const reason = formatTransactionDetail(transaction, order);
  return (
    <li className="grid grid-cols-[auto_1fr_auto] gap-3 py-3.5">
      <span aria-hidden="true" className="grid size-10 place-items-center rounded-full bg-sunk text-ink-2">
        <Icon size={20} strokeWidth={1.75} />
      </span>
      <span className="min-w-0">
        <b className="t-strong block">
          {formatTransactionTitle(transaction, order)}, {day}
        </b>
        {reason && <span className="t-small num block text-balance text-ink-2">{reason}</span>}
        {showsBalance && <span className="t-small block text-ink-2">{transaction.balanceName}</span>}
        {linked && transaction.orderId !== null && (
          <Link
            to="/orders/$orderId"
            params={{ orderId: transaction.orderId }}
            className="t-small-strong -mt-2.5 -mb-3 inline-flex min-h-target items-center text-accent"
          >
            See order<span className="sr-only"> at {formatTransactionTitle(transaction, order)}</span>
          </Link>
        )}
      </span>
      <span className="num whitespace-nowrap text-right">
        <b className="t-strong block">{formatSignedAmount(transaction.amount)}</b>
        <span className="t-small block text-ink-2">{formatMoney(transaction.balanceAfter)} left</span>
      </span>
    </li>
  );
}
