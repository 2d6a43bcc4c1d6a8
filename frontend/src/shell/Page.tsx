import { type ReactNode, useEffect, useRef } from "react";

interface PageProps {
  /** Usually a {@link Header}; a screen may bring a stage of its own with an h1 in it. */
  header?: ReactNode;
  /** The call to action, in a {@link BottomBar}. */
  bar?: ReactNode;
  children: ReactNode;
}

/** What stands around every screen: its width, its header, its main part, and room for the bars at the bottom. */
export function Page({ header, bar, children }: PageProps): ReactNode {
  const page = useRef<HTMLDivElement>(null);
  // A new screen takes the focus with its heading, so that it is read out and the keyboard starts at its top: also from
  // the navigation, which stays. Not from a field that asked for it itself, nor out of a sheet.
  useEffect(() => {
    const active = document.activeElement;
    if (page.current?.contains(active) || active?.closest("[role=dialog]")) return;
    page.current?.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={page} className="mx-auto flex w-full max-w-page flex-1 flex-col overflow-x-clip">
      {header}
      <main className="flex flex-1 flex-col pb-8">{children}</main>
      {bar}
    </div>
  );
}

/** The foot of a screen: one main button, at most one stepper beside it, and a live place for what it costs. */
export function BottomBar({ children }: { children: ReactNode }): ReactNode {
  return (
    <footer className="sticky bottom-0 z-20 bg-surface px-gutter pt-3 pb-[max(1rem,env(safe-area-inset-bottom))] shadow-bar">
      <div className="large-text:flex-wrap flex items-center gap-3">{children}</div>
    </footer>
  );
}
