import { Drawer } from "@base-ui/react/drawer";
import X from "lucide-react/icons/x";
import type { ReactNode } from "react";
import { useModal, useStacked } from "@/shell/modals";
import { IconButton } from "./IconButton";

interface SheetProps {
  title: string;
  description?: ReactNode;
  /** A drawing above the centered title, which rises over the edge of the sheet. */
  picture?: ReactNode;
  children?: ReactNode;
  /** Stays visible while the content scrolls. */
  action?: ReactNode;
  /** For a sheet that a screen renders. Sheets opened by `modals` omit `open` and `onClose`. */
  open?: boolean;
  onClose?: () => void;
}

/**
 * A bottom sheet with title, content and action. Opened by `modals.open` or `modals.load`, or rendered by a screen with
 * `open` and `onClose`. Its close button, a swipe, a click outside and Escape close it. It takes the focus and returns it.
 */
export function Sheet({ open, onClose, ...content }: SheetProps): ReactNode {
  const modal = useModal();
  if (open === undefined || onClose === undefined) {
    return <SheetBody {...content} open={modal?.open ?? false} onClose={() => modal?.close()} />;
  }
  return <StackedSheet {...content} open={open} onClose={onClose} />;
}

type SheetBodyProps = Omit<SheetProps, "open" | "onClose"> & { open: boolean; onClose: () => void };

function StackedSheet(props: SheetBodyProps): ReactNode {
  useStacked(props.open, props.onClose);
  return <SheetBody {...props} />;
}

function SheetBody({
  title,
  description,
  picture,
  children,
  action,
  open,
  onClose,
}: SheetBodyProps): ReactNode {
  return (
    <Drawer.Root
      open={open}
      onOpenChange={(next, details) => {
        // The modal stack handles Escape, so that only the top modal closes.
        if (details.reason === "escape-key") details.cancel();
        else if (!next) onClose();
      }}
    >
      <Drawer.Portal>
        <Drawer.Backdrop className="fixed inset-0 z-40 bg-scrim opacity-[calc(1-var(--drawer-swipe-progress,0))] transition-opacity duration-base data-ending-style:opacity-0 data-starting-style:opacity-0" />
        {/* In the dark theme, a lighter top edge separates the sheet from the dimmed page, which has nearly the same color. */}
        <Drawer.Viewport className="fixed inset-0 z-40 flex items-end justify-center">
          <Drawer.Popup className="-mb-12 flex max-h-[calc(92dvh+3rem)] w-full max-w-page [transform:translateY(var(--drawer-swipe-movement-y,0px))] flex-col rounded-t-sheet bg-ground pb-12 text-ink outline-none dark:shadow-[inset_0_20px_0_var(--counter),0_0_0_1px_var(--line)] transition-transform duration-base ease-standard data-ending-style:[transform:translateY(100%)] data-starting-style:[transform:translateY(100%)] data-swiping:duration-0 data-swiping:select-none">
            <div className="mx-auto mt-2 mb-1 h-1 w-10 shrink-0 rounded-full bg-line-strong opacity-60" />
            <Drawer.Content className="relative flex min-h-0 flex-col">
              <header className={`px-gutter pb-2 ${picture ? "text-center" : "pt-4 pr-16"}`}>
                {picture && (
                  <div aria-hidden="true" className="mx-auto -mt-24 mb-2 h-42 w-fit *:h-full">
                    {picture}
                  </div>
                )}
                <Drawer.Title className="t-title">{title}</Drawer.Title>
                {description && (
                  <Drawer.Description className="t-small mt-1 text-ink-2">{description}</Drawer.Description>
                )}
              </header>
              <div className="min-h-0 overflow-y-auto overscroll-contain px-gutter pb-4">{children}</div>
              <footer className="px-gutter pt-2 pb-[max(1.25rem,env(safe-area-inset-bottom))]">
                {action}
              </footer>
              {/* The last element, so that the sheet focuses its content first. */}
              <div className="absolute top-1 right-2.5">
                <IconButton icon={X} label="Close" onClick={onClose} />
              </div>
            </Drawer.Content>
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  );
}
