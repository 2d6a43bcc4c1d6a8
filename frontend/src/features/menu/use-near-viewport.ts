import { type RefObject, useEffect, useRef, useState } from "react";

/** How far from the screen a drawing is made, so that nobody sees it come. */
const AHEAD = "600px";

/** Whether an element is on the screen or soon will be; once it was, it stays. A menu has ninety drawings. */
export function useNearViewport(): { near: boolean; ref: RefObject<HTMLSpanElement | null> } {
  const ref = useRef<HTMLSpanElement>(null);
  const [near, setNear] = useState(() => typeof IntersectionObserver === "undefined");
  useEffect(() => {
    const element = ref.current;
    if (near || !element) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setNear(true);
      },
      { rootMargin: AHEAD },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [near]);
  return { near, ref };
}
