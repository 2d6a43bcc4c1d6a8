import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import ChevronRight from "lucide-react/icons/chevron-right";
import type { ReactNode } from "react";
import { write } from "@/api/client";
import { errorMessage } from "@/api/errors";
import { ActiveOrderCard } from "@/features/home/ActiveOrderCard";
import { OrderAgainSkeleton, PointsSkeleton, ShelfHeading } from "@/features/home/HomeSkeletons";
import { OrderAgainShelf, SampleShelf } from "@/features/home/OrderAgainShelf";
import { pointsQuery, savedCartQuery } from "@/features/home/queries";
import { recentOrders } from "@/features/home/recent-orders";
import { SavedCartCard } from "@/features/home/SavedCartCard";
import { restoreCart } from "@/features/menu/restore-cart";
import { formatStatus } from "@/features/orders/format";
import { useUserArrived } from "@/features/orders/mutations";
import { OrderAgain } from "@/features/orders/OrderAgain";
import { canAnnounceArrival, cupFill } from "@/features/orders/progress";
import { orderQuery, ordersQuery } from "@/features/orders/queries";
import { POLL_MS, useLiveOrders } from "@/features/orders/use-live-orders";
import { PointsCard } from "@/features/points/PointsCard";
import { toCartStore } from "@/features/stores/cart-store";
import { storeQuery } from "@/features/stores/queries";
import { formatVehicle } from "@/features/vehicle/format";
import { formatMoney } from "@/lib/money";
import { activeOrdersQuery, type Profile } from "@/shell/queries";
import { cartItem } from "@/state/cart";
import { device } from "@/state/device";
import { useItem } from "@/state/device-item";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";
import { toast } from "@/ui/toast";

/**
 * What home has for who is signed in: code of its own, so that the first script of a first visit is without it. Each
 * part asks for its own and stands without the others: one service that is away leaves the rest of home.
 */
export function Yours({ session, now }: { session: Profile; now: Date }): ReactNode {
  return (
    <>
      <RunningOrders session={session} now={now} />
      <CartFromEarlier />
      <Usuals />
    </>
  );
}

function RunningOrders({ session, now }: { session: Profile; now: Date }): ReactNode {
  const { data } = useQuery(activeOrdersQuery(session.id));
  const orders = data?.orders ?? [];
  const live = useLiveOrders(orders.length > 0);
  if (orders.length === 0) return null;
  return (
    <div className="grid gap-3">
      {orders.map((order) => (
        <Running key={order.orderId} orderId={order.orderId} listed={order} live={live} now={now} />
      ))}
    </div>
  );
}

type Listed = Parameters<typeof ActiveOrderCard>[0]["order"];

interface RunningProps {
  orderId: string;
  listed: Listed;
  /** Whether the stream is there. */
  live: boolean;
  now: Date;
}

/**
 * The list says which orders run; the stream writes each change into the order itself. Without the stream the order is
 * asked for.
 */
function Running({ orderId, listed, live, now }: RunningProps): ReactNode {
  const { data: order = listed } = useQuery({
    ...orderQuery(orderId),
    initialData: listed,
    refetchInterval: live ? false : POLL_MS,
  });
  return (
    <ActiveOrderCard
      order={order}
      words={formatStatus(order)}
      fill={cupFill(order, now)}
      now={now}
      arrive={<ImHere order={order} />}
    />
  );
}

/** Tells the bar. An order that comes to the car and has none named yet is followed instead: it asks there. */
function ImHere({ order }: { order: Listed }): ReactNode {
  const arrived = useUserArrived();
  const vehicle = order.pickup === "curbside" ? order.vehicle || formatVehicle(device.vehicle.get()) : "";
  if (!canAnnounceArrival(order) || (order.pickup === "curbside" && vehicle === "")) return null;
  return (
    <button
      type="button"
      aria-busy={arrived.isPending || undefined}
      onClick={() => !arrived.isPending && arrived.mutate({ orderId: order.orderId, vehicle })}
      className="t-strong min-h-target rounded-pill bg-inverse-accent px-4.5 text-inverse-on-accent transition-transform duration-press active:scale-[0.98]"
    >
      I'm here
    </button>
  );
}

/** Offers the server's copy of the cart where this device has none: unless it was ordered since. */
function CartFromEarlier(): ReactNode {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const empty = useItem(cartItem).items.length === 0;
  const { data: kept } = useQuery({ ...savedCartQuery, enabled: empty });
  const { data: orders } = useInfiniteQuery(ordersQuery);
  const restore = useMutation({
    mutationFn: async (cart: NonNullable<NonNullable<typeof kept>["cart"]>) => {
      const store = await queryClient.ensureQueryData(storeQuery(cart.storeId));
      return restoreCart(queryClient, toCartStore(store), cart);
    },
    onSuccess: (lines) => {
      if (lines > 0) void navigate({ to: "/cart" });
      else toast("Those items aren't on the menu anymore");
    },
  });
  const cart = kept?.cart;
  if (!empty || !cart || cart.lines.length === 0 || !orders) return null;
  const since = orders.pages[0]?.[0]?.createdAt ?? "";
  if (since >= (kept.savedAt ?? "")) return null;
  const drop = () => {
    queryClient.setQueryData(savedCartQuery.queryKey, { cart: null, savedAt: null });
    // An empty cart takes the copy away; if that fails, home asks once more another time.
    write("/user/save-cart", { cart: { ...cart, lines: [] } }).catch(() => undefined);
  };
  return (
    <SavedCartCard
      count={cart.lines.length}
      busy={restore.isPending}
      onRestore={() => restore.mutate(cart)}
      onDrop={drop}
    />
  );
}

function Usuals(): ReactNode {
  const { data, error, refetch } = useInfiniteQuery(ordersQuery);
  const usuals = recentOrders(data?.pages.flat() ?? []);
  if (!data && !error) return <OrderAgainSkeleton />;
  return (
    <section aria-labelledby="usuals">
      <ShelfHeading title={data && usuals.length === 0 ? "Your favorites" : undefined}>
        {usuals.length > 0 && (
          <Link to="/orders" className={buttonVariants("link")}>
            All orders
          </Link>
        )}
      </ShelfHeading>
      {error && !data && (
        <div className="grid justify-items-start gap-3 px-gutter pt-6">
          <p className="text-ink-2">{errorMessage(error)}</p>
          <Button variant="soft" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
      {data && usuals.length > 0 && (
        <OrderAgainShelf
          usuals={usuals}
          again={(order) => (
            <OrderAgain order={order} label={`Order again · ${formatMoney(order.subtotal)}`} />
          )}
        />
      )}
      {data && usuals.length === 0 && (
        <SampleShelf>
          <p className="pt-3 text-ink-2">Your favorites will show up here, ready to reorder in one tap.</p>
          <Link to="/explore" className={buttonVariants("link")}>
            Find a store
            <ChevronRight aria-hidden="true" size={20} strokeWidth={1.75} />
          </Link>
        </SampleShelf>
      )}
    </section>
  );
}

/** Nothing at all where points are away: home is no place for their failure. */
export function Points(): ReactNode {
  const { data, isPending } = useQuery(pointsQuery);
  if (isPending) return <PointsSkeleton />;
  if (!data) return null;
  return (
    <div className="px-gutter">
      <div className="rounded-card bg-surface p-4">
        <PointsCard points={data} />
      </div>
    </div>
  );
}
