import { useRouter } from "@tanstack/react-router";
import { type JSX, type ReactNode, useLayoutEffect, useState } from "react";

/** Specification section 4: the delay between the start of a route change and the loader. */
const DEBOUNCE_MS = 500;

const STARTING = "Personalizing your coffee ordering experience.....";
export const BREWING = "Your beans are brewing";

/**
 * Shows the full-screen loading message during slow route changes, the start of the app included. Changes of the search parameters
 * only are ignored. It stands before the routes, because the router starts in a layout effect if it did not start before.
 */
function Loader(): ReactNode {
  const router = useRouter();
  const [text, setText] = useState<string | null>(null);
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (next: string) => {
      timer = setTimeout(() => setText(next), DEBOUNCE_MS);
    };
    const hide = () => {
      clearTimeout(timer);
      setText(null);
    };
    const unsubscribeStart = router.subscribe("onBeforeLoad", ({ pathChanged, fromLocation }) => {
      clearTimeout(timer);
      if (pathChanged) wait(fromLocation ? BREWING : STARTING);
    });
    if (router.state.status === "pending") wait(STARTING);
    const unsubscribeEnd = router.subscribe("onResolved", hide);
    return () => {
      hide();
      unsubscribeStart();
      unsubscribeEnd();
    };
  }, [router]);
  return text && <LoadingScreen text={text} />;
}

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

/** The router with the loader. */
export function WithLoader({ children }: { children: ReactNode }): JSX.Element {
  return (
    <>
      <Loader />
      {children}
    </>
  );
}
