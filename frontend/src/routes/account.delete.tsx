import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { errorMessage } from "@/api/errors";
import { useRemoveConsumer } from "@/features/account/mutations";
import { walletQuery } from "@/features/wallet/queries";
import { formatMoney, sum } from "@/lib/money";
import { Header } from "@/shell/Header";
import { modals } from "@/shell/modals";
import { BottomBar, Page } from "@/shell/Page";
import { activeOrdersQuery } from "@/shell/queries";
import { requireSession, useSession } from "@/shell/session";
import { forgetConsumer } from "@/shell/sign-out";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";
import { Checkbox } from "@/ui/Checkbox";
import { Notice } from "@/ui/Notice";
import { toast } from "@/ui/toast";

export const Route = createFileRoute("/account/delete")({
  beforeLoad: requireSession,
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(walletQuery);
  },
  component: DeleteAccount,
});

/** Explains what is deleted, requires two confirmations, and deletes the account. */
function DeleteAccount(): ReactNode {
  const [isConfirmed, setConfirmed] = useState(false);
  const [hint, setHint] = useState("");
  const { remove, error, isPending } = useDelete();
  const hasActiveOrder = useHasActiveOrder();
  const ask = () => {
    if (!isConfirmed) return setHint("Confirm that you understand first.");
    void modals.load("delete-account", () => import("@/features/account/DeleteSheet"), { onConfirm: remove });
  };
  return (
    <Page
      header={<Header title="Delete account" up={{ to: "/account/settings" }} />}
      bar={
        <BottomBar>
          {hasActiveOrder ? (
            <Link to="/orders" className={buttonVariants("solid", { big: true })}>
              See your order
            </Link>
          ) : (
            <Button big variant="danger" busy={isPending} onClick={ask}>
              Delete my account
            </Button>
          )}
        </BottomBar>
      }
    >
      <div className="grid gap-5 px-gutter pt-5">
        <h2 className="t-title">What happens</h2>
        <Consequences />
        {hasActiveOrder ? (
          <Notice>You have an order in progress. You can delete your account once it's finished.</Notice>
        ) : (
          <div>
            <Checkbox
              checked={isConfirmed}
              onChange={(checked) => {
                setConfirmed(checked);
                setHint("");
              }}
            >
              I understand that this can't be undone.
            </Checkbox>
            <p role="alert" className="t-small mt-2 min-h-5 text-danger">
              {error ? errorMessage(error) : hint}
            </p>
          </div>
        )}
      </div>
    </Page>
  );
}

function Consequences(): ReactNode {
  const { data: balances } = useQuery(walletQuery);
  const session = useSession();
  const total = balances && sum(balances.map(({ balance }) => balance));
  const points = session?.points ?? 0;
  return (
    <ul className="grid list-disc gap-2.5 pl-5 marker:text-ink-3">
      {total && total.currencyAmount > 0 ? (
        <li>
          <b className="t-strong num">You'll lose {formatMoney(total)}</b> on your JoePass and gift cards.
          Spend it first if you can.
        </li>
      ) : (
        <li>You'll lose any money on your JoePass and gift cards.</li>
      )}
      <li>
        {points > 0 ? `You'll lose ${points} points and all offers.` : "You'll lose your points and offers."}
      </li>
      <li>We'll delete your name, phone number, email, photo, payment methods, favorites and messages.</li>
      <li>You'll be signed out on all your devices.</li>
      <li>We'll keep payment records without your name, because the law requires it.</li>
      <li>You'll still owe any payment that your bank returned.</li>
    </ul>
  );
}

function useHasActiveOrder(): boolean {
  const session = useSession();
  const { data } = useQuery({ ...activeOrdersQuery(session?.id ?? ""), enabled: Boolean(session) });
  return (data?.orders.length ?? 0) > 0;
}

function useDelete() {
  const queryClient = useQueryClient();
  const navigate = Route.useNavigate();
  const removeConsumer = useRemoveConsumer(async () => {
    await forgetConsumer(queryClient);
    await navigate({ to: "/", replace: true });
    toast("Your account was deleted", "success");
  });
  return {
    remove: () => removeConsumer.mutate(),
    error: removeConsumer.error,
    isPending: removeConsumer.isPending,
  };
}
