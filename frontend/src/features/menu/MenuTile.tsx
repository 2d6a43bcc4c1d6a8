import Plus from "lucide-react/icons/plus";
import { memo, type ReactNode, useMemo } from "react";
import { ItemArt } from "@/art/ItemArt";
import { artForSelection } from "@/art/selection";
import { type ItemArtSpec, parseItemArt } from "@/art/spec";
import { getTone } from "@/art/tone";
import { formatMoney } from "@/lib/money";
import { useNearViewport } from "@/lib/use-near-viewport";
import type { Links } from "@/shell/use-links";
import { Tag } from "@/ui/Tag";
import type { MenuItem } from "./queries";
import "./menu-tile.css";

interface MenuTileProps {
  item: MenuItem;
  links: Links;
  /** Adds the item with its defaults. */
  onAdd: (item: MenuItem) => void;
  busy: boolean;
}

/** A tile of the menu. A sold-out item can be opened, but not added. */
export const MenuTile = memo(function MenuTile({ item, links, onAdd, busy }: MenuTileProps): ReactNode {
  return (
    <li className="relative">
      <a {...links(item.itemId)} className="block rounded-card">
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
      </a>
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
});

/** The drawing on its counter. All of it is prepared when the tile comes near the viewport. */
function TileStage({ item: { art, soldOut } }: { item: MenuItem }): ReactNode {
  const { isNear, ref } = useNearViewport();
  const drawing = useMemo(() => (isNear ? prepareDrawing(art) : undefined), [isNear, art]);
  return (
    <span
      ref={ref}
      className={`stage menu-tile ${drawing?.isFood ? "menu-tile-food" : ""} ${soldOut ? "menu-tile-out" : ""}`}
      style={soldOut || !drawing ? undefined : { "--tone": drawing.tone }}
    >
      {soldOut && (
        <span aria-hidden="true" className="absolute top-2.5 left-2.5 z-2">
          <Tag>Sold out today</Tag>
        </span>
      )}
      {drawing && <ItemArt art={art} selection={drawing.selection} crop={0.78} className="menu-tile-art" />}
    </span>
  );
}

function prepareDrawing(art: unknown) {
  const spec = parseItemArt(art);
  const selection = { sizeIndex: getMiddleSize(spec) };
  const drawn = artForSelection(spec, selection);
  const isFood = drawn.kind === "food";
  return { selection, isFood, tone: isFood ? "#EFDFC4" : getTone(drawn.params) };
}

/** Menu tiles show drinks in medium, independent of their smallest size. */
const getMiddleSize = (spec: ItemArtSpec): number =>
  spec.kind === "drink" ? Math.max(0, 1 - spec.sizeFrom) : 0;
