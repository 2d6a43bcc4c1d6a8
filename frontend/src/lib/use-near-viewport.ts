import { type RefObject, startTransition, useEffect, useRef, useState } from "react";
import { idleQueue } from "./idle-queue";

/** Elements within this distance are rendered before they become visible. */
const MARGIN = "600px 240px";

const tasks = new Map<Element, () => void>();
/** One for all elements. */
let observer: IntersectionObserver | undefined;

/**
 * Returns whether an element is or was near the viewport. Lists use it to render drawings on demand, one at a time while the
 * browser is idle: a menu has up to ninety.
 */
export function useNearViewport(): { isNear: boolean; ref: RefObject<HTMLSpanElement | null> } {
  const ref = useRef<HTMLSpanElement>(null);
  const [isNear, setNear] = useState(() => typeof IntersectionObserver === "undefined");
  useEffect(() => {
    const element = ref.current;
    if (isNear || !element) return;
    return observe(element, () => startTransition(() => setNear(true)));
  }, [isNear]);
  return { isNear, ref };
}

function observe(element: Element, task: () => void): () => void {
  observer ??= new IntersectionObserver(queueNear, { rootMargin: MARGIN });
  tasks.set(element, task);
  observer.observe(element);
  return () => {
    observer?.unobserve(element);
    tasks.delete(element);
    idleQueue.delete(task);
  };
}

function queueNear(entries: readonly IntersectionObserverEntry[]): void {
  for (const { isIntersecting, target } of entries) {
    const task = tasks.get(target);
    if (!task) continue;
    if (isIntersecting) idleQueue.add(task);
    // Scrolled past before it was rendered.
    else idleQueue.delete(task);
  }
}
