import { useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";

/** Specification section 4: appears this long after a route change starts, if it is still under way. */
const DEBOUNCE_MS = 500;

const STARTING = "Personalizing your coffee ordering experience.....";
export const BREWING = "Your beans are brewing";

/** The full-screen loading message; gone when the change completes or fails. A change of search only shows none. */
export function Loader(): ReactNode {
  const router = useRouter();
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = () => {
      clearTimeout(timer);
      setText(null);
    };
    const started = router.subscribe("onBeforeLoad", ({ pathChanged, fromLocation }) => {
      clearTimeout(timer);
      if (pathChanged) timer = setTimeout(() => setText(fromLocation ? BREWING : STARTING), DEBOUNCE_MS);
    });
    const ended = router.subscribe("onResolved", hide);
    return () => {
      hide();
      started();
      ended();
    };
  }, [router]);
  return text && <LoadingScreen text={text} />;
}

/** A cup that fills while something larger loads. */
export function LoadingScreen({ text }: { text: string }): ReactNode {
  return (
    <div
      role="status"
      className="fixed inset-0 z-50 mx-auto grid max-w-page content-center justify-items-center gap-6 bg-ground px-gutter text-center"
    >
      <svg aria-hidden="true" viewBox="0 0 120 160" className="h-36">
        <defs>
          <clipPath id="loader-cup">
            <path d="M18 22c0-8 84-8 84 0l-10 128c-1 7-63 7-64 0Z" />
          </clipPath>
        </defs>
        <g clipPath="url(#loader-cup)">
          <rect width="120" height="160" className="fill-sunk" />
          <rect width="120" height="160" className="loader-pour fill-crema" />
        </g>
      </svg>
      <p className="t-heading">{text}</p>
    </div>
  );
}
