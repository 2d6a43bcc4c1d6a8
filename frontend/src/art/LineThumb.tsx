import { type CSSProperties, type ReactNode, useMemo } from "react";
import { ItemArt } from "./ItemArt";
import { type ArtSelection, artForSelection } from "./selection";
import { parseItemArt } from "./spec";
import { toneOf } from "./tone";

/** What food stands in front of: toasted, where a drink brings its own tone. */
const TOASTED = "#efdfc4";

interface LineThumbProps {
  /** The `art` of the item. */
  art: unknown;
  selection?: ArtSelection;
}

/** The small picture of a line of a cart or an order, on the stage that its drink lights. */
export function LineThumb({ art, selection }: LineThumbProps): ReactNode {
  const item = useMemo(() => artForSelection(parseItemArt(art), selection), [art, selection]);
  const drink = item.kind === "drink";
  const style = { "--tone": drink ? toneOf(item.params) : TOASTED } as CSSProperties;
  return (
    <span
      aria-hidden="true"
      style={style}
      className="stage large-text:hidden grid h-17 w-16 shrink-0 items-end justify-center overflow-hidden rounded-choice"
    >
      <ItemArt art={art} selection={selection} width={56} box={drink ? "24 54 192 234" : "10 112 220 176"} />
    </span>
  );
}
