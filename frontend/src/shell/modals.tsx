import {
  type ComponentType,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import { errorMessage } from "@/api/errors";
import { toast } from "@/ui/toast";
import { loadCode } from "./missing-code";

/**
 * An entry of the modal stack (specification section 4): open adds a modal, close removes one by id or the top one,
 * Escape closes only the top one, and the page does not scroll while any is open. Sheets of a screen are entries, too.
 */
interface Entry {
  readonly id: string;
  readonly open: boolean;
  /** Undefined for a sheet that its screen renders. */
  readonly content?: ReactNode;
  /** Called when the stack closes it. */
  readonly onClose?: () => void;
}

/** A closed modal stays mounted for its exit animation, which is a little shorter. */
const EXIT_MS = 320;

let stack: readonly Entry[] = [];
/** How often all modals were closed. A modal that was loading then does not open. */
let closings = 0;
const listeners = new Set<() => void>();

function setStack(next: readonly Entry[]): void {
  publish(next);
  document.documentElement.toggleAttribute("data-scroll-locked", modals.isOpen());
}

function publish(next: readonly Entry[]): void {
  stack = next;
  for (const listener of listeners) listener();
}

const top = () => stack.findLast((entry) => entry.open);

export const modals = {
  /** Opens a modal on top. Ignored if a modal with the same id is open. */
  open(id: string, content: ReactNode): void {
    if (stack.some((entry) => entry.id === id && entry.open)) return;
    setStack([...stack.filter((entry) => entry.id !== id), { id, open: true, content }]);
  },
  /** Loads the code of a modal, then opens it unless all modals were closed while it loaded. Shows a toast if the code fails to load. */
  async load<Props extends object>(
    id: string,
    module: () => Promise<{ default: ComponentType<Props> }>,
    props: Props,
  ): Promise<void> {
    const before = closings;
    try {
      const { default: Modal } = await loadCode(module);
      if (closings === before) modals.open(id, <Modal {...props} />);
    } catch (error) {
      toast(errorMessage(error), "error");
    }
  },
  /** Closes a modal by id, or the top modal. */
  close(id?: string): void {
    const entry = id === undefined ? top() : stack.find((e) => e.id === id && e.open);
    if (!entry) return;
    if (entry.content === undefined) {
      entry.onClose?.();
      return;
    }
    setStack(stack.map((e) => (e === entry ? { ...e, open: false } : e)));
    setTimeout(() => publish(stack.filter((e) => e.id !== entry.id || e.open)), EXIT_MS);
  },
  closeAll(): void {
    closings += 1;
    for (const { id } of [...stack].reverse()) modals.close(id);
  },
  /** Closes the modals that cover any screen. The sheets of a screen are closed with it. */
  closeCovering(): void {
    for (const { id, content } of [...stack].reverse()) if (content !== undefined) modals.close(id);
  },
  /** Returns whether any modal is open, or the modal with this id. */
  isOpen(id?: string): boolean {
    return stack.some((entry) => entry.open && (id === undefined || entry.id === id));
  },
};

/** Adds a modal that a screen renders to the stack while it is open. */
export function useStacked(open: boolean, onClose: () => void): void {
  const id = useId();
  const [latest] = useState<{ onClose: () => void }>({ onClose });
  useEffect(() => {
    latest.onClose = onClose;
  });
  useEffect(() => {
    if (!open) return;
    setStack([...stack, { id, open: true, onClose: () => latest.onClose() }]);
    return () => setStack(stack.filter((entry) => entry.id !== id));
  }, [id, open, latest]);
}

interface ModalHandle {
  readonly open: boolean;
  close(): void;
}
const ModalContext = createContext<ModalHandle | null>(null);

/** Returns the modal that contains this component, or null outside of the stack. */
export function useModal(): ModalHandle | null {
  return useContext(ModalContext);
}

/** Renders the stack and handles Escape. Mounted once, in the shell. */
export function ModalHost(): ReactNode {
  const entries = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => stack,
  );
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.isComposing || !modals.isOpen()) return;
      // The dialog library would close every open sheet.
      event.stopImmediatePropagation();
      event.preventDefault();
      modals.close();
    };
    window.addEventListener("keydown", onKey, { capture: true });
    return () => window.removeEventListener("keydown", onKey, { capture: true });
  }, []);
  return entries.map((entry) => entry.content !== undefined && <Layer key={entry.id} entry={entry} />);
}

function Layer({ entry }: { entry: Entry }): ReactNode {
  const modal = useMemo(
    () => ({ open: entry.open, close: () => modals.close(entry.id) }),
    [entry.open, entry.id],
  );
  return <ModalContext value={modal}>{entry.content}</ModalContext>;
}
