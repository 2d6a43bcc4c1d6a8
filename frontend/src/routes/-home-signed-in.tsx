import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import ChevronRight from "lucide-react/icons/chevron-right";
import type { ReactNode } from "react";
import { ActiveOrderCard } from "@/features/home/ActiveOrderCard";
import {
  HomeSkeleton,
  OrderAgainHeading,
  OrderAgainSkeleton,
  PointsSkeleton,
} from "@/features/home/HomeSkeletons";
import { OrderAgainCarousel } from "@/features/home/OrderAgainCarousel";
import { pointsQuery, savedCartQuery } from "@/features/home/queries";
import { selectRecentOrders } from "@/features/home/recent-orders";
import latte from "@/features/home/welcome-latte.svg";
import { addToCart } from "@/features/menu/add-to-cart";
import { UsualItems } from "@/features/menu/UsualItems";
import { toUsualLine, type UsualItem, usualItemsQuery } from "@/features/menu/usual-items";
import { TodaysOffer } from "@/features/offers/TodaysOffer";
import { formatStatus } from "@/features/orders/format";
import { useUserArrived } from "@/features/orders/mutations";
import { OrderAgain } from "@/features/orders/OrderAgain";
import { getPollInterval } from "@/features/orders/poll-interval";
import { calculateCupFill, canAnnounceArrival } from "@/features/orders/progress";
import { type Order, orderQuery, ordersQuery } from "@/features/orders/queries";
import { useLiveOrders } from "@/features/orders/use-live-orders";
import { PointsCard } from "@/features/points/PointsCard";
import { toCartStore } from "@/features/stores/cart-store";
import { storeCardQuery } from "@/features/stores/queries";
import { usePartsReady } from "@/lib/use-parts-ready";
import { formatVehicle } from "@/lib/vehicle";
import { LoadError } from "@/shell/LoadError";
import { activeOrdersQuery, type Profile } from "@/shell/queries";
import { cartItem } from "@/state/cart";
import { device } from "@/state/device";
import { useItem } from "@/state/device-item";
import { buttonVariants } from "@/ui/button-variants";
import { PopularItems } from "./-home-popular";
import { SavedCart } from "./-saved-cart";

interface SignedInHomeProps {
  session: Profile;
  now: Date;
  /** The nearest stores. */
  children: ReactNode;
}

/**
 * The parts of home for signed-in consumers, in a chunk of their own that a first visit does not load. Each part has its
 * own query and is hidden or shows an error alone if a service is unavailable. They appear together, because one that
 * appears later would push the others down.
 */
export function SignedInHome({ session, now, children }: SignedInHomeProps): ReactNode {
  if (!useHomeReady(session)) return <HomeSkeleton />;
  return (
    <>
      <ActiveOrders session={session} now={now} />
      <SavedCart />
      <Usuals />
      <RecentOrders />
      {children}
      <Points />
    </>
  );
}

/** Returns whether the parts above the stores were known once: loaded, failed, or too slow. */
function useHomeReady(session: Profile): boolean {
  const isCartEmpty = useItem(cartItem).items.length === 0;
  return usePartsReady([
    useQuery(activeOrdersQuery(session.id)),
    useQuery({ ...savedCartQuery, enabled: isCartEmpty }),
    useQuery(usualItemsQuery()),
    useInfiniteQuery(ordersQuery),
  ]);
}

function ActiveOrders({ session, now }: { session: Profile; now: Date }): ReactNode {
  const { data } = useQuery(activeOrdersQuery(session.id));
  const orders = data?.orders ?? [];
  const isLive = useLiveOrders(orders.length > 0);
  if (orders.length === 0) return null;
  return (
    <div className="grid gap-3">
      {orders.map((order) => (
        <ActiveOrder key={order.orderId} listedOrder={order} isLive={isLive} now={now} />
      ))}
    </div>
  );
}

interface ActiveOrderProps {
  listedOrder: Order;
  /** Whether the live stream is connected. */
  isLive: boolean;
  now: Date;
}

/** One active order. The live stream updates its query. */
function ActiveOrder({ listedOrder, isLive, now }: ActiveOrderProps): ReactNode {
  const { data: order = listedOrder } = useQuery({
    ...orderQuery(listedOrder.orderId),
    initialData: listedOrder,
    refetchInterval: ({ state }) => getPollInterval(state.data, isLive),
  });
  return (
    <ActiveOrderCard
      order={order}
      status={formatStatus(order)}
      fill={calculateCupFill(order, now)}
      now={now}
      action={<ImHereButton order={order} />}
    />
  );
}

/** Hidden for curbside orders without a vehicle: the order screen requests it. */
function ImHereButton({ order }: { order: Order }): ReactNode {
  const userArrived = useUserArrived();
  const vehicle = order.pickup === "curbside" ? order.vehicle || formatVehicle(device.vehicle.get()) : "";
  if (!canAnnounceArrival(order) || (order.pickup === "curbside" && vehicle === "")) return null;
  return (
    <button
      type="button"
      aria-busy={userArrived.isPending || undefined}
      onClick={() => !userArrived.isPending && userArrived.mutate({ orderId: order.orderId, vehicle })}
      className="t-strong min-h-target rounded-pill bg-inverse-accent px-3.5 text-inverse-on-accent transition-transform duration-press active:scale-[0.98]"
    >
      I'm here
    </button>
  );
}

/** Usual items of all stores. Adding one opens the cart. Hidden without any, or if they fail to load. */
function Usuals(): ReactNode {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { data } = useQuery(usualItemsQuery());
  const add = useMutation({
    mutationFn: (item: UsualItem) => queryClient.ensureQueryData(storeCardQuery(item.storeId)),
    onSuccess: (store, item) => {
      const line = toUsualLine(item);
      if (line) addToCart(toCartStore(store), line, () => void navigate({ to: "/cart" }));
    },
  });
  if (!data || data.items.length === 0) return null;
  return (
    <UsualItems
      items={data.items}
      withStore
      onAdd={(item) => add.mutate(item)}
      adding={add.isPending ? add.variables.usualItemId : undefined}
    />
  );
}

function RecentOrders(): ReactNode {
  const { data, error, refetch } = useInfiniteQuery(ordersQuery);
  const recent = selectRecentOrders(data?.pages.flat() ?? []);
  if (!data && !error) return <OrderAgainSkeleton />;
  if (data && recent.length === 0) {
    return (
      <section aria-labelledby="order-again">
        <PopularItems>
          <p className="pt-3 text-ink-2">Your favorites will show up here, ready to reorder in one tap.</p>
          <Link to="/explore" className={buttonVariants("link")}>
            Find a store
            <ChevronRight aria-hidden="true" size={20} strokeWidth={1.75} />
          </Link>
        </PopularItems>
      </section>
    );
  }
  return (
    <section aria-labelledby="order-again">
      <OrderAgainHeading>
        {recent.length > 0 && (
          <Link to="/orders" className={buttonVariants("link")}>
            All orders
          </Link>
        )}
      </OrderAgainHeading>
      {error && !data && (
        <div className="px-gutter pt-3">
          <LoadError error={error} onRetry={refetch} />
        </div>
      )}
      {data && (
        <OrderAgainCarousel orders={recent} action={(order) => <OrderAgain order={order} withPrice />} />
      )}
    </section>
  );
}

/** Points and today's offer. Each is hidden if it fails to load. */
function Points(): ReactNode {
  const { data, isPending } = useQuery(pointsQuery);
  return (
    <>
      {isPending && <PointsSkeleton />}
      {data && (
        <div className="px-gutter">
          <div className="rounded-card bg-surface p-4">
            <PointsCard points={data} action={<RewardsLink />} />
          </div>
        </div>
      )}
      <div className="px-gutter empty:hidden">
        <TodaysOffer picture={<img src={latte} alt="" className="size-full object-contain" />} />
      </div>
    </>
  );
}

function RewardsLink(): ReactNode {
  return (
    <Link
      to="/rewards"
      aria-label="Rewards"
      className="-mr-2.5 grid size-target shrink-0 place-items-center rounded-full text-accent"
    >
      <ChevronRight aria-hidden="true" size={24} />
    </Link>
  );
}
