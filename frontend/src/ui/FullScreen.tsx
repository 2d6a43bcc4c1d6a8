import { Dialog } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import { useModal } from "@/shell/modals";

/** A modal that takes the whole screen, opened by `modals.open` or `modals.load`. Escape closes it as any modal. */
export function FullScreen({
  title,
  children,
  bar,
}: {
  title: string;
  children: ReactNode;
  bar?: ReactNode;
}): ReactNode {
  const here = useModal();
  return (
    <Dialog.Root
      open={here?.open ?? false}
      onOpenChange={(next, details) => {
        if (details.reason === "escape-key") details.cancel();
        else if (!next) here?.close();
      }}
    >
      <Dialog.Portal>
        <Dialog.Popup className="fixed inset-0 z-40 mx-auto flex max-w-page flex-col bg-ground text-ink outline-none transition-opacity duration-base data-ending-style:opacity-0 data-starting-style:opacity-0">
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-gutter pt-8 pb-6">
            <Dialog.Title className="t-display">{title}</Dialog.Title>
            {children}
          </div>
          {bar && (
            <footer className="bg-surface px-gutter pt-3 pb-[max(1.25rem,env(safe-area-inset-bottom))] shadow-bar">
              {bar}
            </footer>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
