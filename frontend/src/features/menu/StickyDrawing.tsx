import { type ReactNode, type RefObject, useEffect, useState } from "react";
import { ItemArt } from "@/art/ItemArt";
import { findSizeIndex, listChangedChoices } from "./cart-line";
import { describeSelection } from "./format";
import type { ItemOptions } from "./queries";
import type { Selection } from "./selection";

interface StickyDrawingProps {
  item: ItemOptions;
  selection: Selection;
  /** The large drawing. This one appears while that one is outside of the viewport. */
  stage: RefObject<HTMLElement | null>;
}

/** A small drawing that stays in view while the consumer customizes. Hidden from screen readers, which get announcements. */
export function StickyDrawing({ item, selection, stage }: StickyDrawingProps): ReactNode {
  const isShown = useIsAbove(stage);
  return (
    <div aria-hidden="true" className="pointer-events-none sticky top-0 z-10 h-0">
      {isShown && (
        <div className="flex h-16 items-center gap-3 bg-surface px-gutter shadow-[0_1px_0_var(--line)]">
          <ItemArt
            art={item.art}
            selection={{
              sizeIndex: findSizeIndex(item, selection),
              choices: listChangedChoices(item, selection),
            }}
            shown={{ detail: "small" }}
            animate
            crop={0.8}
            className="h-14 w-11 shrink-0 [&_svg]:size-full"
          />
          <span className="min-w-0 flex-1">
            <b className="t-strong block truncate">{item.name}</b>
            <span className="t-small block truncate text-ink-2">{describeSelection(item, selection)}</span>
          </span>
        </div>
      )}
    </div>
  );
}

/** Returns whether the element was scrolled out of the viewport at its top. */
function useIsAbove(element: RefObject<HTMLElement | null>): boolean {
  const [isAbove, setAbove] = useState(false);
  useEffect(() => {
    if (!element.current || typeof IntersectionObserver === "undefined") return;
    const observer = new IntersectionObserver(([entry]) => {
      setAbove(entry !== undefined && !entry.isIntersecting && entry.boundingClientRect.top < 0);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isAbove;
}
