import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LazyItemArt } from "@/art/LazyItemArt";
import { parseSizeFrom } from "@/art/size-index";
import { CarouselSkeleton, OrderAgainHeading } from "@/features/home/HomeSkeletons";
import { SampleCarousel } from "@/features/home/OrderAgainCarousel";
import { type MenuItem, type MenuSection, menuQuery, topOrderedQuery } from "@/features/menu/queries";
import { type Store, storesQuery } from "@/features/stores/queries";
import { useGeolocation } from "@/features/stores/use-geolocation";
import { formatMoney } from "@/lib/money";
import { useNearViewport } from "@/lib/use-near-viewport";
import { SkeletonLine } from "@/ui/Skeleton";

const STORE_COUNT = 3;
const ITEM_COUNT = 6;
/** The size in which drinks are drawn. */
const MEDIUM = 1;

interface PopularItemsProps {
  /** Below the items. With it, sample drinks take the place of items that are unknown. */
  children?: ReactNode;
}

/** What the nearest open store sells most, for consumers without orders. The first drinks of its menu while it has sold nothing. */
export function PopularItems({ children }: PopularItemsProps): ReactNode {
  const { position } = useGeolocation();
  const { data: list, isLoading: areStoresLoading } = useQuery(storesQuery(position, {}, "", STORE_COUNT));
  const store = list?.stores.find(({ openState }) => openState === "open") ?? list?.stores[0];
  const popular = useQuery({ ...topOrderedQuery(store?.storeId ?? ""), enabled: store !== undefined });
  const popularItems = pickItems(popular.data?.items ?? []);
  const hasSoldNothing = store !== undefined && !popular.isLoading && popularItems.length === 0;
  const menu = useQuery({ ...menuQuery(store?.storeId ?? ""), enabled: hasSoldNothing });
  const firstDrinks = pickItems(listDrinks(menu.data?.sections ?? []));

  const popularTitle = position ? "Popular near you" : "Popular right now";
  if (areStoresLoading || popular.isLoading || menu.isLoading) {
    // A skeleton below the stores would move down when their list loads.
    if (areStoresLoading && !children) return null;
    return (
      <>
        <OrderAgainHeading title={popularTitle} />
        <CarouselSkeleton />
        <div className="px-gutter pt-4">
          <SkeletonLine className="mb-1 w-3/5" />
          {children}
        </div>
      </>
    );
  }
  if (store && popularItems.length > 0) {
    return (
      <>
        <OrderAgainHeading title={popularTitle} />
        <ItemCarousel store={store} items={popularItems} />
        <div className="px-gutter">
          <p className="pt-3 text-ink-2">Popular at {store.name} right now.</p>
          {children}
        </div>
      </>
    );
  }
  if (store && firstDrinks.length > 0) {
    return (
      <>
        <OrderAgainHeading title="On the menu" />
        <ItemCarousel store={store} items={firstDrinks} />
        <div className="px-gutter">
          <p className="pt-3 text-ink-2">From the menu of {store.name}.</p>
          {children}
        </div>
      </>
    );
  }
  if (!children) return null;
  return (
    <>
      <OrderAgainHeading title="Your usuals" />
      <SampleCarousel storeId={store?.storeId}>{children}</SampleCarousel>
    </>
  );
}

/** Returns the first drink of each section, then the second of each, and so on. */
function listDrinks(sections: readonly MenuSection[]): MenuItem[] {
  return sections
    .flatMap(({ items }) =>
      items.filter(({ kind }) => kind === "drink").map((item, index) => ({ item, index })),
    )
    .sort((a, b) => a.index - b.index)
    .map(({ item }) => item);
}

const pickItems = (items: readonly MenuItem[]): MenuItem[] =>
  items.filter(({ soldOut }) => !soldOut).slice(0, ITEM_COUNT);

function ItemCarousel({ store, items }: { store: Store; items: readonly MenuItem[] }): ReactNode {
  return (
    <div className="drink-carousel">
      <ul>
        {items.map((item) => (
          <li key={item.itemId}>
            <Link
              to="/store/$storeId/item/$itemId"
              params={{ storeId: store.storeId, itemId: item.itemId }}
              className="block rounded-card"
            >
              <Cup art={item.art} />
              <span className="t-strong mt-3 block truncate leading-[1.25]">{item.name}</span>{" "}
              <span className="t-small num block text-ink-2">{formatMoney(item.priceFrom)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Drawn when the browser is idle and the item is near the viewport. */
function Cup({ art }: Pick<MenuItem, "art">): ReactNode {
  const { isNear, ref } = useNearViewport();
  return (
    <span ref={ref} className="drink-carousel-cup">
      {isNear && (
        <LazyItemArt
          art={art}
          selection={{ sizeIndex: Math.max(0, MEDIUM - parseSizeFrom(art)) }}
          crop={0.72}
        />
      )}
    </span>
  );
}
