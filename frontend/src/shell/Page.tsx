import { type ReactNode, useEffect, useRef } from "react";
import { uncoverScreen } from "./first-paint";

interface PageProps {
  /** A {@link Header}, or another element that contains the h1. */
  header?: ReactNode;
  /** The call to action in a {@link BottomBar}. */
  bar?: ReactNode;
  children: ReactNode;
}

/** The layout of every screen: header, main content and bottom bar, up to 768 px wide. */
export function Page({ header, bar, children }: PageProps): ReactNode {
  const page = useRef<HTMLDivElement>(null);
  // The heading of a new screen takes the focus, so that screen readers announce it and the keyboard starts at the top.
  // Exceptions: a field of the screen has the focus, or a sheet is open.
  useEffect(() => {
    uncoverScreen();
    // In the frame that lays out the screen, which moving the focus would do a second time.
    const frame = requestAnimationFrame(() => {
      const active = document.activeElement;
      if (page.current?.contains(active) || active?.closest("[role=dialog]")) return;
      page.current?.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <div ref={page} className="mx-auto flex w-full max-w-page flex-1 flex-col overflow-x-clip">
      {header}
      <main className="flex flex-1 flex-col pb-8">{children}</main>
      {bar}
    </div>
  );
}

/** The bottom bar of a screen: one main button, with at most one stepper beside it. */
export function BottomBar({ children }: { children: ReactNode }): ReactNode {
  return (
    <footer className="sticky bottom-0 z-20 bg-surface px-gutter pt-3 pb-[max(1rem,env(safe-area-inset-bottom))] shadow-bar">
      <div className="large-text:flex-wrap flex items-center gap-3">{children}</div>
    </footer>
  );
}
