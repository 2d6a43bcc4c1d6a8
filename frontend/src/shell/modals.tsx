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

/**
 * The modal stack (specification section 4): open adds, close takes one by id or the top one, Escape closes only the
 * top, and the page behind does not scroll while any is open. Sheets written into a screen stand in the same stack.
 */
interface Entry {
  readonly id: string;
  readonly open: boolean;
  /** What the stack itself draws; none for a sheet that its screen draws. */
  readonly content?: ReactNode;
  /** Told when the stack closes it. */
  readonly onClose?: () => void;
}

/** A closed modal stays this long so that it can leave; a little over the sheet's motion. */
const LEAVING_MS = 320;

let stack: readonly Entry[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Entry[]): void {
  put(next);
  document.documentElement.toggleAttribute("data-scroll-locked", modals.isOpen());
}

function put(next: readonly Entry[]): void {
  stack = next;
  for (const listener of listeners) listener();
}

const top = () => stack.findLast((entry) => entry.open);

export const modals = {
  /** Opens a modal over everything; a second one with the same id is ignored while the first is open. */
  open(id: string, content: ReactNode): void {
    if (stack.some((entry) => entry.id === id && entry.open)) return;
    change([...stack.filter((entry) => entry.id !== id), { id, open: true, content }]);
  },
  /** Opens a modal whose code loads first, so that no sheet is part of a screen's own script; or says that it did not. */
  async load<Props extends object>(
    id: string,
    module: () => Promise<{ default: ComponentType<Props> }>,
    props: Props,
  ): Promise<void> {
    try {
      const { default: Modal } = await module();
      modals.open(id, <Modal {...props} />);
    } catch (error) {
      toast(errorMessage(error), "error");
    }
  },
  /** Closes one by id, or the top one. */
  close(id?: string): void {
    const entry = id === undefined ? top() : stack.find((e) => e.id === id && e.open);
    if (!entry) return;
    if (entry.content === undefined) {
      entry.onClose?.();
      return;
    }
    change(stack.map((e) => (e === entry ? { ...e, open: false } : e)));
    setTimeout(() => put(stack.filter((e) => e.id !== entry.id || e.open)), LEAVING_MS);
  },
  closeAll(): void {
    for (const { id } of [...stack].reverse()) modals.close(id);
  },
  /** Whether any modal is open, or the one with this id. */
  isOpen(id?: string): boolean {
    return stack.some((entry) => entry.open && (id === undefined || entry.id === id));
  },
};

/** Puts a modal that a screen draws itself into the stack while it is open. */
export function useStacked(open: boolean, onClose: () => void): void {
  const id = useId();
  const [latest] = useState<{ onClose: () => void }>({ onClose });
  useEffect(() => {
    latest.onClose = onClose;
  });
  useEffect(() => {
    if (!open) return;
    change([...stack, { id, open: true, onClose: () => latest.onClose() }]);
    return () => change(stack.filter((entry) => entry.id !== id));
  }, [id, open, latest]);
}

interface Here {
  readonly open: boolean;
  close(): void;
}
const HereContext = createContext<Here | null>(null);

/** The modal that this component is drawn in by the stack: whether it is open, and how to close it. */
export function useModal(): Here | null {
  return useContext(HereContext);
}

/** Draws the stack and listens for Escape; stands once in the shell. */
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
      // The sheets' own library would close every sheet that hears this.
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
  const here = useMemo(
    () => ({ open: entry.open, close: () => modals.close(entry.id) }),
    [entry.open, entry.id],
  );
  return <HereContext value={here}>{entry.content}</HereContext>;
}
