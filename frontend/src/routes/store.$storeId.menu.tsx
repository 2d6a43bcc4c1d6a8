import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { addToCart } from "@/features/menu/add-to-cart";
import { CartBar } from "@/features/menu/CartBar";
import { CategoryBar } from "@/features/menu/CategoryBar";
import { MenuList } from "@/features/menu/MenuList";
import { MenuSearch } from "@/features/menu/MenuSearch";
import { MenuShelf } from "@/features/menu/MenuShelf";
import { MenuSkeleton } from "@/features/menu/MenuSkeleton";
import { menuQuery, topOrderedQuery } from "@/features/menu/queries";
import { UsualItems } from "@/features/menu/UsualItems";
import { useMenuSearch } from "@/features/menu/use-menu-search";
import { toUsualLine, usualItemsQuery } from "@/features/menu/usual-items";
import { toCartStore } from "@/features/stores/cart-store";
import { pickupQuery, storeQuery } from "@/features/stores/queries";
import { StoreHeader } from "@/features/stores/StoreHeader";
import { useGeolocation } from "@/features/stores/use-geolocation";
import { Page } from "@/shell/Page";
import { useSession } from "@/shell/session";
import type { CartStore } from "@/state/cart";
import { Empty } from "@/ui/Empty";
import { toast } from "@/ui/toast";

export const Route = createFileRoute("/store/$storeId/menu")({
  head: () => ({ meta: [{ title: "Menu · Order Ahead" }] }),
  loader: ({ context: { queryClient }, params: { storeId } }) => {
    void queryClient.prefetchQuery(menuQuery(storeId));
    void queryClient.prefetchQuery(storeQuery(storeId));
    void queryClient.prefetchQuery(pickupQuery(storeId));
    void queryClient.prefetchQuery(topOrderedQuery(storeId));
  },
  component: Menu,
  pendingComponent: MenuSkeleton,
});

function Menu(): ReactNode {
  const { storeId } = Route.useParams();
  const { position } = useGeolocation();
  const { data: store } = useSuspenseQuery(storeQuery(storeId));
  const { data: storeWithDistance } = useQuery({
    ...storeQuery(storeId, position),
    enabled: position !== null,
  });
  const { data: menu } = useSuspenseQuery(menuQuery(storeId));
  const { data: pickup } = useQuery(pickupQuery(storeId));
  const { data: topOrdered } = useQuery(topOrderedQuery(storeId));
  const [term, setTerm] = useState<string | null>(null);
  const sections = useMenuSearch(menu.sections, term ?? "");
  return (
    <Page
      header={
        <StoreHeader
          store={storeWithDistance ?? store}
          readyAt={pickup?.earliestAt ?? null}
          searching={term !== null}
          onSearch={() => setTerm((current) => (current === null ? "" : null))}
        />
      }
      bar={<CartBar storeId={storeId} />}
    >
      {term !== null && <MenuSearch term={term} onChange={setTerm} sections={sections} />}
      {sections.length > 0 && <CategoryBar sections={sections} />}
      {term === null && (
        <>
          <Usuals store={toCartStore(store)} />
          <MenuShelf
            id="top-ordered"
            title="Popular here"
            store={toCartStore(store)}
            items={topOrdered?.items ?? []}
          />
        </>
      )}
      <MenuList store={toCartStore(store)} sections={sections} />
      {sections.length === 0 && (
        <Empty title={term ? "No matches" : "No menu yet"}>
          {term
            ? "Try another word, or browse the whole menu."
            : "This store hasn't added its menu yet. Try another store."}
        </Empty>
      )}
    </Page>
  );
}

/** The usual items of a signed-in consumer on this menu. */
function Usuals({ store }: { store: CartStore }): ReactNode {
  const session = useSession();
  const { data } = useQuery({ ...usualItemsQuery(store.storeId), enabled: Boolean(session) });
  if (!data || data.items.length === 0) return null;
  return (
    <UsualItems
      items={data.items}
      onAdd={(item) => {
        const line = toUsualLine(item);
        if (line) addToCart(store, line, () => toast(`${item.name} added to your cart`, "success"));
      }}
    />
  );
}
