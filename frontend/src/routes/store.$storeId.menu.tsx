import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { CartBar } from "@/features/menu/CartBar";
import { CategoryBar } from "@/features/menu/CategoryBar";
import { MenuList } from "@/features/menu/MenuList";
import { MenuSearch } from "@/features/menu/MenuSearch";
import { MenuSkeleton } from "@/features/menu/MenuSkeleton";
import { menuQuery } from "@/features/menu/queries";
import { useMenuSearch } from "@/features/menu/use-menu-search";
import { toCartStore } from "@/features/stores/cart-store";
import { pickupQuery, storeQuery } from "@/features/stores/queries";
import { StoreHeader } from "@/features/stores/StoreHeader";
import { useGeolocation } from "@/features/stores/use-geolocation";
import { Page } from "@/shell/Page";
import { Empty } from "@/ui/Empty";

export const Route = createFileRoute("/store/$storeId/menu")({
  head: () => ({ meta: [{ title: "Menu · Order Ahead" }] }),
  loader: ({ context: { queryClient }, params: { storeId } }) => {
    void queryClient.prefetchQuery(menuQuery(storeId));
    void queryClient.prefetchQuery(storeQuery(storeId));
    void queryClient.prefetchQuery(pickupQuery(storeId));
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
