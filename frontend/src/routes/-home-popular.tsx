import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LazyItemArt } from "@/art/LazyItemArt";
import { parseSizeFrom } from "@/art/size-index";
import { CarouselSkeleton } from "@/features/home/HomeSkeletons";
import { SampleCarousel } from "@/features/home/OrderAgainCarousel";
import { topOrderedQuery } from "@/features/menu/queries";
import { storesQuery } from "@/features/stores/queries";
import { useGeolocation } from "@/features/stores/use-geolocation";
import { formatMoney } from "@/lib/money";
import { SkeletonLine } from "@/ui/Skeleton";

const STORE_COUNT = 3;
const ITEM_COUNT = 6;
/** The size in which drinks are drawn. */
const MEDIUM = 1;

/** What the nearest open store sells most, for consumers without orders. Sample drinks if it is unknown. */
export function PopularItems({ children }: { children: ReactNode }): ReactNode {
  const { position } = useGeolocation();
  const { data: list, isLoading: areStoresLoading } = useQuery(storesQuery(position, {}, "", STORE_COUNT));
  const store = list?.stores.find(({ openState }) => openState === "open") ?? list?.stores[0];
  const { data: top, isLoading: areItemsLoading } = useQuery({
    ...topOrderedQuery(store?.storeId ?? ""),
    enabled: store !== undefined,
  });
  const items = top?.items.filter(({ soldOut }) => !soldOut).slice(0, ITEM_COUNT) ?? [];
  if (areStoresLoading || areItemsLoading) {
    return (
      <>
        <CarouselSkeleton />
        <div className="px-gutter">
          <SkeletonLine className="mt-4 mb-1 w-3/5" />
          {children}
        </div>
      </>
    );
  }
  if (!store || items.length === 0) {
    return <SampleCarousel storeId={store?.storeId}>{children}</SampleCarousel>;
  }
  return (
    <>
      <div className="drink-carousel">
        <ul>
          {items.map((item) => (
            <li key={item.itemId}>
              <Link
                to="/store/$storeId/item/$itemId"
                params={{ storeId: store.storeId, itemId: item.itemId }}
                className="block rounded-card"
              >
                <span className="drink-carousel-cup block">
                  <LazyItemArt
                    art={item.art}
                    selection={{ sizeIndex: Math.max(0, MEDIUM - parseSizeFrom(item.art)) }}
                    crop={0.72}
                  />
                </span>
                <span className="t-strong mt-3 block truncate leading-[1.25]">{item.name}</span>{" "}
                <span className="t-small num block text-ink-2">{formatMoney(item.priceFrom)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
      <div className="px-gutter">
        <p className="pt-3 text-ink-2">Popular at {store.name} right now.</p>
        {children}
      </div>
    </>
  );
}
