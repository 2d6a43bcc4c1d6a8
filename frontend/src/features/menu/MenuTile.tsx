import { Link } from "@tanstack/react-router";
import Plus from "lucide-react/icons/plus";
import { type ReactNode, useMemo } from "react";
import { ItemArt } from "@/art/ItemArt";
import { artForSelection } from "@/art/selection";
import { type ItemArtSpec, parseItemArt } from "@/art/spec";
import { getTone } from "@/art/tone";
import { formatMoney } from "@/lib/money";
import { Tag } from "@/ui/Tag";
import type { MenuItem } from "./queries";
import { useNearViewport } from "./use-near-viewport";
import "./menu-tile.css";

interface MenuTileProps {
  storeId: string;
  item: MenuItem;
  /** Adds the item with its defaults. */
  onAdd: (item: MenuItem) => void;
  busy: boolean;
}

/** A tile of the menu. A sold-out item can be opened, but not added. */
export function MenuTile({ storeId, item, onAdd, busy }: MenuTileProps): ReactNode {
  return (
    <li className="relative">
      <Link
        to="/store/$storeId/item/$itemId"
        params={{ storeId, itemId: item.itemId }}
        className="block rounded-card"
      >
        <TileStage item={item} />
        <span
          className={`t-strong wrap-anywhere mt-2.5 block leading-[1.25] ${item.soldOut ? "text-ink-3" : ""}`}
        >
          {item.name}
        </span>
        <span className="t-small num mt-0.5 block text-ink-2">
          {item.soldOut && <span className="sr-only">Sold out today. </span>}
          {formatMoney(item.priceFrom)}
          {item.detail && (
            <>
              <span className="sr-only">, </span>
              <span aria-hidden="true" className="mx-[0.28em] text-ink-3 opacity-60">
                ·
              </span>
              {item.detail}
            </>
          )}
        </span>
      </Link>
      {!item.soldOut && (
        <button
          type="button"
          aria-label={`Add ${item.name}`}
          aria-busy={busy || undefined}
          onClick={() => !busy && onAdd(item)}
          className="absolute top-[124px] right-2 z-2 grid size-target place-items-center rounded-full bg-surface text-accent shadow-raised transition-transform duration-press active:scale-95"
        >
          <Plus aria-hidden="true" size={24} strokeWidth={1.75} className={busy ? "skeleton" : ""} />
        </button>
      )}
    </li>
  );
}

function TileStage({ item }: { item: MenuItem }): ReactNode {
  const { isNear, ref } = useNearViewport();
  const spec = useMemo(() => parseItemArt(item.art), [item.art]);
  const selection = useMemo(() => ({ sizeIndex: getMiddleSize(spec) }), [spec]);
  const art = artForSelection(spec, selection);
  const tone = art.kind === "drink" ? getTone(art.params) : "#EFDFC4";
  return (
    <span
      ref={ref}
      className={`stage menu-tile ${art.kind === "food" ? "menu-tile-food" : ""} ${item.soldOut ? "menu-tile-out" : ""}`}
      style={item.soldOut ? undefined : { "--tone": tone }}
    >
      {item.soldOut && (
        <span aria-hidden="true" className="absolute top-2.5 left-2.5 z-2">
          <Tag>Sold out today</Tag>
        </span>
      )}
      {isNear && <ItemArt art={item.art} selection={selection} crop={0.78} className="menu-tile-art" />}
    </span>
  );
}

/** Menu tiles show drinks in medium, independent of their smallest size. */
const getMiddleSize = (spec: ItemArtSpec): number =>
  spec.kind === "drink" ? Math.max(0, 1 - spec.sizeFrom) : 0;
