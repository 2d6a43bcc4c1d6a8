import { type RefObject, useEffect, useRef, useState } from "react";

/** Elements within this distance are rendered before they become visible. */
const MARGIN = "600px";

/** Returns whether an element is or was near the viewport. Menus use it to render up to ninety drawings on demand. */
export function useNearViewport(): { isNear: boolean; ref: RefObject<HTMLSpanElement | null> } {
  const ref = useRef<HTMLSpanElement>(null);
  const [isNear, setNear] = useState(() => typeof IntersectionObserver === "undefined");
  useEffect(() => {
    const element = ref.current;
    if (isNear || !element) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setNear(true);
      },
      { rootMargin: MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isNear]);
  return { isNear, ref };
}
