import ShoppingBag from "lucide-react/icons/shopping-bag";
import type { ReactNode } from "react";
import { Button } from "@/ui/Button";

interface SavedCartCardProps {
  count: number;
  busy: boolean;
  onRestore: () => void;
  onDismiss: () => void;
}

/** Offers to restore the cart saved on the server. */
export function SavedCartCard({ count, busy, onRestore, onDismiss }: SavedCartCardProps): ReactNode {
  return (
    <section aria-label="Your saved cart" className="mx-gutter rounded-card bg-surface p-4">
      <p className="flex gap-3">
        <ShoppingBag aria-hidden="true" size={24} strokeWidth={1.75} className="shrink-0 text-ink-2" />
        <span>You left {count === 1 ? "1 item" : `${count} items`} in your cart.</span>
      </p>
      <div className="mt-3 flex flex-wrap gap-x-4 gap-y-1">
        <Button variant="soft" busy={busy} onClick={onRestore}>
          Restore cart
        </Button>
        <Button variant="link" onClick={onDismiss}>
          No, thanks
        </Button>
      </div>
    </section>
  );
}
