import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link, type NavigateOptions, useNavigate } from "@tanstack/react-router";
import Info from "lucide-react/icons/info";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { object, string } from "valibot";
import { addToCart } from "@/features/menu/add-to-cart";
import { Customizer } from "@/features/menu/Customizer";
import { ItemSkeleton } from "@/features/menu/ItemSkeleton";
import { clearItemDraft } from "@/features/menu/item-draft";
import { type Group, itemQuery } from "@/features/menu/queries";
import { UsualItemButton, UsualItemGuide } from "@/features/menu/UsualItemButton";
import { usualItemsQuery } from "@/features/menu/usual-items";
import { toCartStore } from "@/features/stores/cart-store";
import { storeInfoQuery } from "@/features/stores/queries";
import { searchParam } from "@/lib/search";
import { BackButton } from "@/shell/Header";
import { sessionQuery } from "@/shell/queries";
import { useSession } from "@/shell/session";
import { useShareMetadata } from "@/shell/share-metadata";
import { useGoBack } from "@/shell/use-go-back";
import { type CartLine, cartItem } from "@/state/cart";
import { replaceLine } from "@/state/cart-lines";
import { toast } from "@/ui/toast";
import { useLiveStore } from "./-live-store";

export const Route = createFileRoute("/store/$storeId/item/$itemId")({
  /**
   * `line`: the cart line to edit. `usual`: the usual item to start with. `size`: the size to start with. `group`, and
   * `choice` of it: the option with its details open.
   */
  validateSearch: object({
    line: searchParam(string()),
    usual: searchParam(string()),
    size: searchParam(string()),
    group: searchParam(string()),
    choice: searchParam(string()),
  }),
  loader: ({ context: { queryClient }, params: { storeId, itemId } }) => {
    void queryClient.prefetchQuery(itemQuery(storeId, itemId));
    void queryClient.prefetchQuery(storeInfoQuery(storeId));
  },
  component: ItemScreen,
  pendingComponent: ItemSkeleton,
});

const OptionSheet = lazy(() =>
  import("@/features/menu/OptionSheet").then((module) => ({ default: module.OptionSheet })),
);

function ItemScreen(): ReactNode {
  const { usual: usualItemId } = Route.useSearch();
  return usualItemId === undefined ? <LoadedItem /> : <StartWithUsualItem />;
}

/** Waits for the usual item, because the customizer takes its first selection from it. Later changes must not reset the selection. */
function StartWithUsualItem(): ReactNode {
  const { storeId } = Route.useParams();
  const session = useSession();
  const { isPending: isSessionPending } = useQuery(sessionQuery);
  const { isPending: areUsualsPending } = useQuery({
    ...usualItemsQuery(storeId),
    enabled: Boolean(session),
  });
  const isReady = session ? !areUsualsPending : !isSessionPending;
  const [wasReady, setWasReady] = useState(isReady);
  if (isReady && !wasReady) setWasReady(true);
  return isReady || wasReady ? <LoadedItem /> : <ItemSkeleton />;
}

function LoadedItem(): ReactNode {
  const { storeId, itemId } = Route.useParams();
  const search = Route.useSearch();
  const { line: lineId } = search;
  const navigate = useNavigate({ from: "/store/$storeId/item/$itemId" });
  const { data: usualItems } = useQuery({ ...usualItemsQuery(storeId), enabled: false });
  useLiveStore(storeId);
  const { data: item } = useSuspenseQuery(itemQuery(storeId, itemId));
  const { data: store } = useSuspenseQuery(storeInfoQuery(storeId));
  useShareMetadata({
    title: `${item.name} · ${store.name}`,
    description: item.description || `Order ahead at ${store.name}.`,
    image: "menu",
  });
  const goBack = useGoBack();
  const line = cartItem.get().items.find((item) => item.lineId === lineId && item.itemId === itemId);
  const usual = usualItems?.items.find(({ usualItemId }) => usualItemId === search.usual);
  const closeOption = () =>
    void navigate({
      search: ({ group: _, choice: __, ...others }) => others,
      replace: true,
      resetScroll: false,
    });
  const cartStore = toCartStore(store);
  const up: NavigateOptions = line ? { to: "/cart" } : { to: "/store/$storeId/menu", params: { storeId } };
  const draftKey = `${storeId} ${itemId} ${search.usual ?? ""}`;
  const submit = (changed: Omit<CartLine, "lineId">) => {
    if (line && replaceLine(line.lineId, changed)) return goBack(up);
    addToCart(cartStore, changed, () => {
      clearItemDraft();
      toast(`${item.name} added to your cart`, "success");
      goBack(up);
    });
  };
  return (
    <Customizer
      // Resets the state for another line or item.
      key={`${draftKey} ${lineId ?? ""}`}
      draftKey={line ? undefined : draftKey}
      item={item}
      line={line}
      initial={
        usual && { ...usual, choices: usual.choices.map((choice) => ({ ...choice, name: "", artKey: "" })) }
      }
      initialSizeId={search.size}
      usual={(current) => <UsualItemButton storeId={storeId} line={current} />}
      guide={<UsualItemGuide />}
      about={(group) => <AboutLink group={group} />}
      sheet={(selection, onChange) =>
        search.group && (
          <Suspense>
            <OptionSheet
              storeId={storeId}
              item={item}
              selection={selection}
              onChange={onChange}
              onClose={closeOption}
              groupId={search.group}
              choiceId={search.choice}
            />
          </Suspense>
        )
      }
      back={<BackButton up={up} onStage />}
      onSubmit={submit}
    />
  );
}

function AboutLink({ group }: { group: Group }): ReactNode {
  return (
    <Link
      from="/store/$storeId/item/$itemId"
      to="."
      search={(current) => ({ ...current, group: group.modificationId, choice: undefined })}
      resetScroll={false}
      aria-label={`About ${group.name.toLowerCase()}`}
      className="-my-3 grid size-target place-items-center rounded-full text-ink-2"
    >
      <Info aria-hidden="true" size={20} strokeWidth={1.75} />
    </Link>
  );
}
