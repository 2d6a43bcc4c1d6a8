import { useQuery } from "@tanstack/react-query";
import Heart from "lucide-react/icons/heart";
import { type ReactNode, useEffect, useState } from "react";
import { useSession } from "@/shell/session";
import type { CartLine } from "@/state/cart";
import { device } from "@/state/device";
import { buttonVariants } from "@/ui/button-variants";
import { Notice } from "@/ui/Notice";
import { toast } from "@/ui/toast";
import { findUsualItem, useAddUsualItem, useDeleteUsualItem, usualItemsQuery } from "./usual-items";

interface UsualItemButtonProps {
  storeId: string;
  line: Omit<CartLine, "lineId">;
}

/** Saves the customization as a usual item, or removes it. Hidden for signed-out consumers. */
export function UsualItemButton({ storeId, line }: UsualItemButtonProps): ReactNode {
  const session = useSession();
  const { data } = useQuery({ ...usualItemsQuery(storeId), enabled: Boolean(session) });
  const add = useAddUsualItem(storeId);
  const remove = useDeleteUsualItem();
  if (!session || !data) return null;
  const saved = findUsualItem(data.items, line);
  const busy = add.isPending || remove.isPending;
  const toggle = () => {
    if (busy) return;
    if (saved) remove.mutate(saved, { onSuccess: () => toast("Removed from your usuals") });
    else add.mutate(line, { onSuccess: () => toast("Saved to your usuals", "success") });
  };
  return (
    <button
      type="button"
      aria-label="Usual item"
      aria-pressed={saved !== undefined}
      aria-busy={busy || undefined}
      onClick={toggle}
      className={`grid size-target shrink-0 place-items-center rounded-full bg-surface/82 ${saved ? "text-accent" : "text-ink"}`}
    >
      <Heart aria-hidden="true" size={24} strokeWidth={1.75} fill={saved ? "currentColor" : "none"} />
    </button>
  );
}

/** Does not count as shown if the screen is left or rendered again before. */
const SHOWN_AFTER_MS = 500;

/** Explains the button once per device. */
export function UsualItemGuide(): ReactNode {
  const session = useSession();
  const [visible, setVisible] = useState(() => !device.showedUsualItemGuide.get());
  const shown = visible && Boolean(session);
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => device.showedUsualItemGuide.set(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  if (!shown) return null;
  return (
    <div className="px-gutter pt-4">
      <Notice
        icon={Heart}
        action={
          <button type="button" className={buttonVariants("link")} onClick={() => setVisible(false)}>
            Got it
          </button>
        }
      >
        Made it just right? Tap the heart to save it as your usual and order it in one tap.
      </Notice>
    </div>
  );
}
