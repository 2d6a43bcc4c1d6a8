import { type RefObject, useLayoutEffect, useRef, useState } from "react";

/**
 * For a row that the consumer can remove: its `ref`, and a function to call before it is removed. If the focus is in the row then, it
 * moves to the last control of the next or previous row, or to the heading of the screen.
 */
export function useRemovableRow(): [RefObject<HTMLLIElement | null>, () => void] {
  const ref = useRef<HTMLLIElement>(null);
  const [state] = useState({ isRemoved: false });
  useLayoutEffect(() => {
    const row = ref.current;
    return () => {
      if (state.isRemoved && row?.contains(document.activeElement)) focusNeighbor(row);
    };
  }, [state]);
  const markRemoved = () => {
    state.isRemoved = true;
  };
  return [ref, markRemoved];
}

/** Called before the row is detached. The new focus is set when React has rendered the others. */
function focusNeighbor(row: Element): void {
  const next = row.nextElementSibling ?? row.previousElementSibling;
  queueMicrotask(() => {
    const controls = next?.isConnected ? [...next.querySelectorAll<HTMLElement>("button, select")] : [];
    (controls.at(-1) ?? document.querySelector("h1"))?.focus();
  });
}
