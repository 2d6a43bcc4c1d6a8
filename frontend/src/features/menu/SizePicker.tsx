import { type ReactNode, useId } from "react";
import { ItemArt } from "@/art/ItemArt";
import { formatMoney } from "@/lib/money";
import { listChangedChoices } from "./cart-line";
import type { ItemOptions } from "./queries";
import type { Selection } from "./selection";

interface SizePickerProps {
  item: ItemOptions;
  selection: Selection;
  onChange: (sizeId: string) => void;
}

/** A card per size with the drawing of the selection in that size. Hidden if there is only one size. */
export function SizePicker({ item, selection, onChange }: SizePickerProps): ReactNode {
  const name = useId();
  const { sizes } = item;
  if (sizes.length < 2) return null;
  const choices = listChangedChoices(item, selection);
  return (
    <div
      role="radiogroup"
      aria-label="Size"
      className={`grid gap-2 ${sizes.length === 4 ? "grid-cols-4" : sizes.length === 2 ? "grid-cols-2" : "grid-cols-3"} large-text:grid-cols-1`}
    >
      {sizes.map((size, sizeIndex) => {
        const on = size.sizeId === selection.sizeId;
        const colors = on
          ? "bg-accent-soft edge-chosen"
          : size.soldOut
            ? "edge-hair"
            : "bg-surface edge-hair";
        return (
          <label
            key={size.sizeId}
            className={`flex flex-col items-center rounded-choice px-1 pt-1 pb-2.5 text-center has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2 ${colors} ${size.soldOut ? "text-ink-3" : "cursor-pointer"}`}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={on}
              disabled={size.soldOut}
              onChange={() => onChange(size.sizeId)}
            />
            <span className={size.soldOut ? "opacity-35" : ""}>
              <ItemArt
                art={item.art}
                selection={{ sizeIndex, choices }}
                shown={{ detail: "small" }}
                box="40 36 160 256"
                width={42}
              />
            </span>
            <span className="t-strong wrap-anywhere text-[min(1rem,4.4vw)] leading-[1.25] large-text:text-[1rem]">
              {size.name}
            </span>
            {/* At the bottom, so that it is in line with those of sizes whose names have more lines. */}
            <span
              className={`t-small num mt-auto flex flex-wrap justify-center ${size.soldOut ? "" : "text-ink-2"}`}
            >
              {size.ounces > 0 && (
                <span className="whitespace-nowrap">
                  {size.ounces} oz{sizes.length < 4 && <span aria-hidden="true">&nbsp;·&nbsp;</span>}
                </span>
              )}
              {sizes.length === 4 && <span className="w-full" />}
              <span>{size.soldOut ? "sold out" : formatMoney(size.price)}</span>
            </span>
          </label>
        );
      })}
    </div>
  );
}
