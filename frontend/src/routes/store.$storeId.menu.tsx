import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import { CartBar } from "@/features/menu/CartBar";
import { CategoryBar, USUALS } from "@/features/menu/CategoryBar";
import { MenuCarousel } from "@/features/menu/MenuCarousel";
import { MenuList } from "@/features/menu/MenuList";
import { MenuSearch } from "@/features/menu/MenuSearch";
import { MenuListSkeleton, MenuSkeleton } from "@/features/menu/MenuSkeleton";
import {
  type Category,
  categoriesQuery,
  type MenuSection,
  menuQuery,
  topOrderedQuery,
} from "@/features/menu/queries";
import { useMenuSearch } from "@/features/menu/use-menu-search";
import { useMenuWithCarousels } from "@/features/menu/use-menu-with-carousels";
import { toCartStore } from "@/features/stores/cart-store";
import { withDistance } from "@/features/stores/distance";
import { pickupQuery, storeInfoQuery } from "@/features/stores/queries";
import { StoreHeader } from "@/features/stores/StoreHeader";
import { useGeolocation } from "@/features/stores/use-geolocation";
import { runInSeparateTasks } from "@/lib/run-in-separate-tasks";
import { Page } from "@/shell/Page";
import { useShareMetadata } from "@/shell/share-metadata";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";
import { Empty } from "@/ui/Empty";
import { useLiveStore } from "./-live-store";

export const Route = createFileRoute("/store/$storeId/menu")({
  loader: ({ context: { queryClient }, params: { storeId } }) => {
    void runInSeparateTasks(
      () => queryClient.prefetchQuery(storeInfoQuery(storeId)),
      () => queryClient.prefetchQuery(categoriesQuery(storeId)),
      () => queryClient.prefetchQuery(menuQuery(storeId)),
      () => queryClient.prefetchQuery(topOrderedQuery(storeId)),
      () => queryClient.prefetchQuery(pickupQuery(storeId)),
    );
  },
  component: Menu,
  pendingComponent: MenuSkeleton,
});

function Menu(): ReactNode {
  const { storeId } = Route.useParams();
  useLiveStore(storeId);
  const { position } = useGeolocation();
  const { data: store } = useSuspenseQuery(storeInfoQuery(storeId));
  const { data: categories } = useSuspenseQuery(categoriesQuery(storeId));
  useShareMetadata({
    title: `${store.name} · ${store.companyName}`,
    description: `Order ahead at ${store.street}, ${store.city}. ${store.hoursToday}`,
    image: "store",
  });
  const { menu, topOrdered, usualItems, MenuUsuals, hasUsuals } = useMenuWithCarousels(storeId);
  const { data: pickup } = useQuery(pickupQuery(storeId));
  const cartStore = useMemo(() => toCartStore(store), [store]);
  const [term, setTerm] = useState<string | null>(null);
  const sections = useMenuSearch(menu?.sections ?? NO_SECTIONS, term ?? "");
  const isSearching = term !== null;
  const visibleCategories = useMemo(() => {
    const visible = menu ? selectCategories(categories, sections) : categories;
    if (isSearching) return visible;
    // Not before it is known whether there are usual items, because their name would push the others aside.
    return hasUsuals === undefined ? undefined : hasUsuals ? [USUALS, ...visible] : visible;
  }, [menu, categories, sections, isSearching, hasUsuals]);
  return (
    <Page
      header={
        <StoreHeader
          store={withDistance(store, position)}
          readyTime={pickup?.earliestLocalTime ?? null}
          searching={isSearching}
          onSearch={() => setTerm((current) => (current === null ? "" : null))}
        />
      }
      bar={<CartBar storeId={storeId} />}
    >
      {term !== null && <MenuSearch term={term} onChange={setTerm} sections={sections} />}
      <CategoryBar categories={visibleCategories} />
      {!isSearching && (
        <>
          {usualItems && MenuUsuals && <MenuUsuals store={cartStore} items={usualItems} />}
          <MenuCarousel
            id="top-ordered"
            title="Popular here"
            store={cartStore}
            items={topOrdered?.items ?? []}
          />
        </>
      )}
      {menu ? <MenuList store={cartStore} sections={sections} /> : <MenuListSkeleton />}
      {menu && sections.length === 0 && (
        <Empty
          title={term ? "No matches" : "No menu yet"}
          action={
            term ? (
              <Button variant="soft" onClick={() => setTerm("")}>
                Clear search
              </Button>
            ) : (
              <Link to="/explore" className={buttonVariants("solid")}>
                Find another store
              </Link>
            )
          }
        >
          {term
            ? "Try another word, or browse the whole menu."
            : "This store hasn't added its menu yet. Try another store."}
        </Empty>
      )}
    </Page>
  );
}

const NO_SECTIONS: readonly never[] = [];

/** Returns the categories of the visible sections. */
function selectCategories(categories: readonly Category[], sections: readonly MenuSection[]): Category[] {
  const visible = new Set(sections.map(({ category }) => category.categoryId));
  return categories.filter(({ categoryId }) => visible.has(categoryId));
}
