import { Link } from "@tanstack/react-router";
import Clock from "lucide-react/icons/clock";
import Heart from "lucide-react/icons/heart";
import Search from "lucide-react/icons/search";
import X from "lucide-react/icons/x";
import type { ReactNode } from "react";
import { formatDistance } from "@/lib/geo";
import { formatSpecialDay } from "@/lib/opening-hours";
import { formatLocalTime } from "@/lib/time";
import { BackButton } from "@/shell/Header";
import { useSession } from "@/shell/session";
import { IconButton } from "@/ui/IconButton";
import { Notice } from "@/ui/Notice";
import { StorePhoto } from "@/ui/StorePhoto";
import { toast } from "@/ui/toast";
import { formatHours, hasUnknownHours } from "./format";
import { useFavoriteStore, useUnfavoriteStore } from "./mutations";
import type { Store } from "./queries";
import { StoreRecord } from "./StoreRecord";
import { Dot } from "./StoreRow";

interface StoreHeaderProps {
  store: Store;
  /** The time of day at which an order placed now is ready, "13:05"; null if unknown or if the store accepts no orders now. */
  readyTime: string | null;
  searching: boolean;
  onSearch: () => void;
}

/** The header of a menu: name, hours, distance and promised time of the store. */
export function StoreHeader({ store, readyTime, searching, onSearch }: StoreHeaderProps): ReactNode {
  const open = store.openState === "open";
  return (
    <header className="pt-2">
      <div className="flex items-center justify-between px-2.5">
        <BackButton up={{ to: "/explore" }} />
        <div className="flex">
          <IconButton
            icon={searching ? X : Search}
            label={searching ? "Close search" : "Search this menu"}
            onClick={onSearch}
          />
          <FavoriteButton store={store} />
        </div>
      </div>
      <div className="px-gutter pb-3">
        <div className="flex items-start gap-4">
          <div className="min-w-0 flex-1">
            <h1 tabIndex={-1} className="t-display">
              {store.name}
            </h1>
            <Link
              to="/company/$companyId"
              params={{ companyId: store.companyId }}
              className="t-small-strong inline-flex min-h-8 items-center text-accent"
            >
              {store.companyName}
            </Link>
          </div>
          <StorePhoto storeId={store.storeId} src={store.storePhoto} />
        </div>
        <p className="mt-1 text-ink-2">
          {formatHours(store)}
          {store.distanceMeters !== null && (
            <>
              <Dot />
              <span className="num whitespace-nowrap">{formatDistance(store.distanceMeters)}</span>
            </>
          )}
          {open && readyTime && (
            <>
              <Dot />
              order now,{" "}
              <b className="num whitespace-nowrap font-semibold text-ink">
                ready {formatLocalTime(readyTime)}
              </b>
            </>
          )}
        </p>
        <StoreRecord storeId={store.storeId} />
        {!open && <ClosedNotice store={store} />}
        {store.specialDays.map((day) => (
          <p key={day.day} className="t-small mt-1 text-ink-2">
            {formatSpecialDay(day)}
          </p>
        ))}
      </div>
    </header>
  );
}

function ClosedNotice({ store }: { store: Store }): ReactNode {
  return (
    <div className="mt-3">
      <Notice icon={Clock}>{formatClosed(store)}</Notice>
    </div>
  );
}

function formatClosed(store: Store): string {
  if (store.openState === "paused") {
    return `${store.pause?.message ?? "This store can't take orders right now."} Fill your cart and choose a later time.`;
  }
  return hasUnknownHours(store)
    ? "We don't know when this store opens, so it can't take orders yet. Please pick another store."
    : "Closed right now. Fill your cart and choose a time after it opens.";
}

function FavoriteButton({ store }: { store: Store }): ReactNode {
  const session = useSession();
  const favorite = useFavoriteStore(store.storeId);
  const unfavorite = useUnfavoriteStore(store.storeId);
  if (!session) {
    return (
      <IconButton
        icon={Heart}
        label="Favorite store"
        onClick={() => toast("Sign in to save your favorite stores")}
      />
    );
  }
  return (
    <button
      type="button"
      aria-label="Favorite store"
      aria-pressed={store.favorite}
      onClick={() => (store.favorite ? unfavorite : favorite).mutate()}
      className="grid size-target place-items-center rounded-full text-accent"
    >
      <Heart
        aria-hidden="true"
        size={24}
        strokeWidth={1.75}
        fill={store.favorite ? "currentColor" : "none"}
      />
    </button>
  );
}
