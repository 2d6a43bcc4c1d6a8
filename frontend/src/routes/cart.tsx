import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import Plus from "lucide-react/icons/plus";
import type { ReactNode } from "react";
import { CartChanges } from "@/features/cart/CartChanges";
import { CartLines } from "@/features/cart/CartLines";
import { formatReadyTime } from "@/features/checkout/format";
import { OrderedElsewhere } from "@/features/checkout/OrderedElsewhere";
import { QuoteError } from "@/features/checkout/QuoteError";
import { type Quote, quoteQuery } from "@/features/checkout/queries";
import { FindStoreLink, StoreProblemNotice } from "@/features/checkout/StoreProblemNotice";
import { findStoreProblem, isStoreUnavailable } from "@/features/checkout/store-problem";
import { Totals } from "@/features/checkout/Totals";
import { useOrderedElsewhere } from "@/features/checkout/use-ordered-elsewhere";
import { savedCartQuery } from "@/features/home/queries";
import { UpsellItems } from "@/features/menu/UpsellItems";
import { ordersQuery } from "@/features/orders/queries";
import { cents, formatMoney } from "@/lib/money";
import { usePartsReady } from "@/lib/use-parts-ready";
import { Header } from "@/shell/Header";
import { BottomBar, Page } from "@/shell/Page";
import { useSession } from "@/shell/session";
import { type Cart, cartItem, sumPrices } from "@/state/cart";
import { useItem } from "@/state/device-item";
import { buttonVariants } from "@/ui/button-variants";
import { Empty } from "@/ui/Empty";
import { Loading, SkeletonBlock, SkeletonLine } from "@/ui/Skeleton";
import { StorePhoto } from "@/ui/StorePhoto";
import { useLiveCart } from "./-live-cart";
import { SavedCart } from "./-saved-cart";

export const Route = createFileRoute("/cart")({
  component: CartScreen,
});

function CartScreen(): ReactNode {
  const cart = useItem(cartItem);
  const orderId = useOrderedElsewhere(cart);
  if (orderId) return <OrderedElsewhere orderId={orderId} />;
  return cart.items.length === 0 ? <EmptyCart /> : <FilledCart cart={cart} />;
}

function FilledCart({ cart }: { cart: Cart }): ReactNode {
  const session = useSession();
  useLiveCart(cart.storeId);
  const {
    data: quote,
    error,
    isFetching,
    isPlaceholderData,
    refetch,
  } = useQuery({
    ...quoteQuery(cart),
    enabled: Boolean(session),
  });
  const problem = findStoreProblem(quote);
  return (
    <Page
      header={
        <Header title="Your cart" up={{ to: "/store/$storeId/menu", params: { storeId: cart.storeId } }} />
      }
      bar={
        <BottomBar>
          <NextStep signedIn={session !== null} cart={cart} quote={quote} error={error} />
        </BottomBar>
      }
    >
      <div className="px-gutter pt-3">
        <div className="flex items-center gap-4">
          <div className="min-w-0 flex-1">
            <h2 className="t-title">{cart.storeName}</h2>
            <p className="text-balance text-ink-2">{cart.storeAddress}</p>
          </div>
          <StorePhoto storeId={cart.storeId} src={cart.storePhoto} />
        </div>
        {session && <CartChanges cart={cart} />}
        <div className="pt-3">
          <CartLines
            items={cart.items}
            priced={quote}
            actions={(line) => (
              <Link
                to="/store/$storeId/item/$itemId"
                params={{ storeId: cart.storeId, itemId: line.itemId }}
                search={{ line: line.lineId }}
                className="t-small-strong inline-flex min-h-target items-center text-accent"
              >
                Edit<span className="sr-only"> {line.name}</span>
              </Link>
            )}
          />
        </div>
        <Link to="/store/$storeId/menu" params={{ storeId: cart.storeId }} className={buttonVariants("link")}>
          <Plus aria-hidden="true" size={20} /> Add more items
        </Link>
        <UpsellItems cart={cart} />
        <section aria-label="Order total" className="pt-4">
          {problem && (
            <div role="status" className="pb-3">
              <StoreProblemNotice problem={problem} hasTimes />
            </div>
          )}
          {error && <QuoteError error={error} busy={isFetching} onRetry={() => void refetch()} />}
          {quote && (
            <div aria-live="polite" aria-busy={isPlaceholderData}>
              {isNothingLeft(cart, quote) ? (
                <p>None of these can be ordered right now. Pick something else from the menu.</p>
              ) : (
                <Totals quote={quote} promoCode={cart.promo.code} />
              )}
            </div>
          )}
          {session && !quote && !error && <TotalsSkeleton />}
        </section>
      </div>
    </Page>
  );
}

interface NextStepProps {
  signedIn: boolean;
  cart: Cart;
  quote: Quote | undefined;
  error: Error | null;
}

/**
 * The main action: sign in, choose something else if all items are unavailable, find another store if this one takes no orders, or
 * check out with total and promised time.
 */
function NextStep({ signedIn, cart, quote, error }: NextStepProps): ReactNode {
  const { eta } = quote ?? {};
  if (!signedIn) {
    return (
      <Link
        to="/sign-in/getting-started"
        search={{ next: "/checkout" }}
        className={buttonVariants("solid", { big: true })}
      >
        Sign in to check out
      </Link>
    );
  }
  if (isNothingLeft(cart, quote)) {
    return (
      <Link
        to="/store/$storeId/menu"
        params={{ storeId: cart.storeId }}
        className={buttonVariants("solid", { big: true })}
      >
        Choose something else
      </Link>
    );
  }
  if (isStoreUnavailable(error)) return <FindStoreLink variant="solid" />;
  if (findStoreProblem(quote)) {
    return (
      <Link to="/checkout" className={buttonVariants("solid", { big: true })}>
        Choose a pickup time
      </Link>
    );
  }
  return (
    <Link to="/checkout" className={`${buttonVariants("solid", { big: true })} num`}>
      {/* In two lines, none starts with a dot. */}
      <span>
        <span className="whitespace-nowrap">Check out ·</span>{" "}
        <span className="whitespace-nowrap">
          {formatMoney(quote?.total ?? cents(sumPrices(cart.items)))}
          {eta && " ·"}
        </span>
        {eta && ` ready ${formatReadyTime(eta.readyAt, eta.timeZone, new Date())}`}
      </span>
    </Link>
  );
}

/** Returns whether none of the items can be ordered, for example because all are sold out. */
function isNothingLeft({ items }: Cart, quote: Quote | undefined): boolean {
  const unavailable = new Set(quote?.problems.map(({ lineId }) => lineId));
  return items.every(({ lineId }) => unavailable.has(lineId));
}

function EmptyCart(): ReactNode {
  const session = useSession();
  const isSignedIn = session !== null;
  const isReady = usePartsReady([
    useQuery({ ...savedCartQuery, enabled: isSignedIn }),
    useInfiniteQuery({ ...ordersQuery, enabled: isSignedIn }),
  ]);
  return (
    <Page header={<Header title="Your cart" up={{ to: "/explore" }} />}>
      {isReady ? (
        <>
          {session && <SavedCart />}
          <Empty
            title="Your cart is empty"
            action={
              <Link to="/explore" className={buttonVariants("solid")}>
                Find a store
              </Link>
            }
          >
            <p>Pick a store and add something. It'll be ready when you arrive.</p>
          </Empty>
        </>
      ) : (
        <Loading label="Loading your cart">
          <SkeletonBlock className="mx-gutter h-31" />
        </Loading>
      )}
    </Page>
  );
}

function TotalsSkeleton(): ReactNode {
  return (
    <Loading label="Loading your total">
      <div className="grid gap-4">
        <SkeletonLine className="w-full" />
        <SkeletonLine className="w-full" />
        <SkeletonLine className="h-6 w-full" />
      </div>
    </Loading>
  );
}
