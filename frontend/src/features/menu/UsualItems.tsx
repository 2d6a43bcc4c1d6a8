import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LazyItemArt } from "@/art/LazyItemArt";
import { getSizeIndex } from "@/art/size-index";
import { customChoices, formatLine } from "@/lib/format-line";
import { formatMoney } from "@/lib/money";
import { Button } from "@/ui/Button";
import type { UsualItem } from "./usual-items";
import "./menu-tile.css";

interface UsualItemsProps {
  items: readonly UsualItem[];
  /** Shows the store of each item. */
  withStore?: boolean;
  onAdd: (item: UsualItem) => void;
  /** The item that is being added. */
  adding?: string | undefined;
}

/** Usual items in a row that scrolls sideways. An item that cannot be ordered now shows the reason. */
export function UsualItems({ items, withStore = false, onAdd, adding }: UsualItemsProps): ReactNode {
  return (
    <section aria-labelledby="usual-items" className="pt-5">
      <h2 id="usual-items" tabIndex={-1} className="t-heading px-gutter outline-none">
        Your usuals
      </h2>
      <ul className="shelf">
        {items.map((item) => (
          <li key={item.usualItemId} className="flex flex-col rounded-card bg-surface p-3">
            <Link
              to="/store/$storeId/item/$itemId"
              params={{ storeId: item.storeId, itemId: item.itemId }}
              search={{ usual: item.usualItemId }}
              className="block flex-1 rounded-choice"
            >
              <Drawing item={item} />
              <h3 className="t-strong mt-2 truncate leading-[1.25]">{item.name}</h3>
              <p className="t-small line-clamp-2 text-ink-2">{formatCustomization(item)}</p>
              {withStore && <p className="t-small truncate text-ink-2">{item.storeName}</p>}
            </Link>
            <div className="mt-2.5 *:w-full *:px-1.5 *:text-[0.875rem]">
              {item.line && !item.problem ? (
                <Button variant="soft" busy={adding === item.usualItemId} onClick={() => onAdd(item)}>
                  <span className="num">
                    Add · {formatMoney(item.line.unitPrice)}
                    <span className="sr-only">: {item.name}</span>
                  </span>
                </Button>
              ) : (
                <p className="t-small py-2 text-ink-2">{item.problem?.message}</p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Drawing({ item: { line, problem } }: { item: UsualItem }): ReactNode {
  return (
    <span
      className={`block h-28 *:size-full [&_img]:size-full [&_svg]:size-full ${problem ? "opacity-35" : ""}`}
    >
      {line && (
        <LazyItemArt
          art={line.art}
          selection={{ sizeIndex: getSizeIndex(line.art, line.sizeName), choices: line.choices }}
          crop={0.72}
        />
      )}
    </span>
  );
}

function formatCustomization({ line, note }: UsualItem): string {
  return line ? formatLine(line.sizeName, customChoices(line.choices), note) || "No changes" : "";
}
