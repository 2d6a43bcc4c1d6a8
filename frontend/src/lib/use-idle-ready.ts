import { startTransition, useEffect, useState } from "react";
import { idleQueue } from "./idle-queue";

/** Whether a list was left before. Going back to it restores the scroll position, so all of it is rendered at once. */
let wasLeft = false;

export const wasListLeft = (): boolean => wasLeft;

/** Returns whether to render the part of a list that is not visible at first: when the browser is idle. */
export function useIdleReady(): boolean {
  const [isReady, setReady] = useState(() => wasLeft || typeof IntersectionObserver === "undefined");
  useEffect(
    () => () => {
      wasLeft = true;
    },
    [],
  );
  useEffect(() => {
    if (isReady) return;
    const task = () => startTransition(() => setReady(true));
    idleQueue.add(task);
    return () => idleQueue.delete(task);
  }, [isReady]);
  return isReady;
}
