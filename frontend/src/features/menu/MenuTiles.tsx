import type { LinkOptions } from "@tanstack/react-router";
import { type ReactNode, useCallback } from "react";
import { useIdleReady } from "@/lib/use-idle-ready";
import { type Links, useLinks } from "@/shell/use-links";
import type { CartStore } from "@/state/cart";
import { MenuTile } from "./MenuTile";
import type { MenuItem } from "./queries";
import { useAddDefault } from "./use-add-default";

type TileActions = ReturnType<typeof useTileActions>;

/** Returns what the tiles of a menu do. Stable, so that tiles are rendered again only if their item changes. */
export function useTileActions(store: CartStore) {
  return { ...useAddDefault(store), links: useItemLinks(store.storeId) };
}

function useItemLinks(storeId: string): Links {
  const toItem = useCallback(
    (itemId: string): [string, LinkOptions] => [
      `/store/${encodeURIComponent(storeId)}/item/${encodeURIComponent(itemId)}`,
      { to: "/store/$storeId/item/$itemId", params: { storeId, itemId } },
    ],
    [storeId],
  );
  return useLinks(toItem);
}

interface MenuTilesProps {
  items: readonly MenuItem[];
  /** How many tiles are visible at first and rendered at once. */
  first: number;
  /** Classes of the space for a tile that is not rendered yet. */
  space?: string | undefined;
  actions: TileActions;
}

/** Few enough to leave the browser time for a tap between two groups, and full rows of two and three. */
const GROUP_SIZE = 6;

/** The tiles of a list. Those after the first are rendered in small groups while the browser is idle. */
export function MenuTiles({ items, first, space, actions }: MenuTilesProps): ReactNode {
  const groups = [];
  for (let start = first; start < items.length; start += GROUP_SIZE) {
    const group = items.slice(start, start + GROUP_SIZE);
    groups.push(<IdleTiles key={start} items={group} space={space} actions={actions} />);
  }
  return (
    <>
      <Tiles items={items.slice(0, first)} actions={actions} />
      {groups}
    </>
  );
}

function IdleTiles({ items, space, actions }: Omit<MenuTilesProps, "first">): ReactNode {
  const isReady = useIdleReady();
  if (isReady) return <Tiles items={items} actions={actions} />;
  return items.map(({ itemId }) => <li key={itemId} className={space} />);
}

function Tiles({ items, actions }: Pick<MenuTilesProps, "items" | "actions">): ReactNode {
  const { add, adding, links } = actions;
  return items.map((item) => (
    <MenuTile key={item.itemId} item={item} links={links} onAdd={add} busy={adding === item.itemId} />
  ));
}
