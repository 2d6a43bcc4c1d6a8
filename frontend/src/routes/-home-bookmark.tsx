import { Link } from "@tanstack/react-router";
import Bookmark from "lucide-react/icons/bookmark";
import X from "lucide-react/icons/x";
import type { ReactNode } from "react";
import { device } from "@/state/device";
import { useItem } from "@/state/device-item";
import { buttonVariants } from "@/ui/button-variants";
import { IconButton } from "@/ui/IconButton";

/** Leads to the page of the stored bookmark, until the consumer opens or dismisses it. */
export function HomeBookmark(): ReactNode {
  const bookmark = useItem(device.bookmark);
  if (!bookmark) return null;
  return (
    <aside
      aria-label="Your bookmark"
      className="mx-gutter flex items-center gap-3 rounded-card bg-surface py-1.5 pr-1.5 pl-4"
    >
      <Bookmark aria-hidden="true" size={24} strokeWidth={1.75} className="shrink-0 text-ink-2" />
      <Link
        to={bookmark.url}
        onClick={() => device.bookmark.clear()}
        className={`${buttonVariants("link")} min-w-0 flex-1 justify-start text-left`}
      >
        {bookmark.name ? `Continue to ${bookmark.name}` : "Continue where you left off"}
      </Link>
      <IconButton icon={X} label="Dismiss bookmark" onClick={() => device.bookmark.clear()} />
    </aside>
  );
}
