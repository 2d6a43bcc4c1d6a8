import { type CSSProperties, type ReactNode, useMemo } from "react";
import { ItemArt } from "./ItemArt";
import { type ArtSelection, artForSelection } from "./selection";
import { parseItemArt } from "./spec";
import { getTone } from "./tone";

/** The background of food. Drinks have their own tone. */
const FOOD_TONE = "#efdfc4";

interface LineThumbProps {
  art: unknown;
  selection?: ArtSelection;
}

/** The thumbnail of a cart or order line. */
export function LineThumb({ art, selection }: LineThumbProps): ReactNode {
  const item = useMemo(() => artForSelection(parseItemArt(art), selection), [art, selection]);
  const drink = item.kind === "drink";
  const style: CSSProperties = { "--tone": drink ? getTone(item.params) : FOOD_TONE };
  return (
    <span
      aria-hidden="true"
      style={style}
      className="stage large-text:hidden grid h-17 w-16 shrink-0 items-end justify-center overflow-hidden rounded-choice"
    >
      <ItemArt
        art={art}
        selection={selection}
        width={56}
        {...(drink ? { crop: 0.82 } : { box: "-6 100 252 190" })}
      />
    </span>
  );
}
