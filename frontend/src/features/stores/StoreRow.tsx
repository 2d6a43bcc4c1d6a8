import type { LinkOptions } from "@tanstack/react-router";
import Heart from "lucide-react/icons/heart";
import type { ReactNode } from "react";
import { formatDistance } from "@/lib/geo";
import { useLinks } from "@/shell/use-links";
import { StorePhoto } from "@/ui/StorePhoto";
import { Tag } from "@/ui/Tag";
import { formatHours, hasUnknownHours } from "./format";
import type { Store } from "./queries";

interface StoreRowProps {
  store: Store;
  /** Whether the pin of the store is selected on the map. */
  current?: boolean;
  /** Omits picture, company, street and tags, for home. */
  brief?: boolean;
  /** Omits the company, for its own page. */
  ofCompany?: boolean;
  /** Called when the row is pressed, before its store opens. */
  onOpen?: (() => void) | undefined;
}

const toMenu = (storeId: string): [string, LinkOptions] => [
  `/store/${encodeURIComponent(storeId)}/menu`,
  { to: "/store/$storeId/menu", params: { storeId } },
];

/** A row of a store list: name, hours, distance and wait. */
export function StoreRow({
  store,
  current = false,
  brief = false,
  ofCompany = false,
  onOpen,
}: StoreRowProps): ReactNode {
  const open = store.openState === "open";
  const link = useLinks(toMenu)(store.storeId);
  return (
    <a
      {...link}
      href={link.href}
      onClick={(event) => {
        onOpen?.();
        link.onClick(event);
      }}
      aria-current={current || undefined}
      className="large-text:flex-wrap flex items-center gap-x-4 gap-y-2 py-3.5"
    >
      {!brief && <StorePhoto storeId={store.storeId} src={store.storePhoto} />}
      <span className="min-w-0 flex-1">
        <span className={`t-strong wrap-anywhere flex items-center gap-2 ${open ? "" : "text-ink-2"}`}>
          {store.name}
          {store.favorite && <FavoriteMark />}
        </span>
        <span className="t-small block text-ink-2">
          {formatHours(store)}
          {store.distanceMeters !== null && (
            <>
              <Dot />
              <span className="num whitespace-nowrap">{formatDistance(store.distanceMeters)}</span>
            </>
          )}
        </span>
        {!brief && (
          <>
            <StorePlace store={store} ofCompany={ofCompany} />
            <StoreTags store={store} />
          </>
        )}
      </span>
      {open && <Wait minutes={store.waitMinutes} />}
    </a>
  );
}

/** The company and the street. Without a distance the city instead, on a line of its own, so that it is not cut. */
function StorePlace({ store, ofCompany }: { store: Store; ofCompany: boolean }): ReactNode {
  const { companyName, street, city, region } = store;
  if (store.distanceMeters !== null) {
    return (
      <span className="t-small large-text:whitespace-normal relative block truncate text-ink-3">
        {!ofCompany && (
          <>
            {companyName}
            <Dot />
          </>
        )}
        {street}
      </span>
    );
  }
  return (
    <span className="t-small relative block text-ink-3">
      {!ofCompany && (
        <span className="large-text:whitespace-normal block truncate">
          {companyName}
          <span className="sr-only">, </span>
        </span>
      )}
      <span className="wrap-anywhere block">{`${city}, ${region}`}</span>
    </span>
  );
}

function StoreTags({ store }: { store: Store }): ReactNode {
  const unavailable = store.openState === "paused" || hasUnknownHours(store);
  const closed = store.openState === "closed" && !unavailable;
  if (!closed && !unavailable && !store.curbside) return null;
  return (
    <span className="mt-2 flex flex-wrap gap-1.5">
      {closed && <Tag>Closed</Tag>}
      {unavailable && <Tag>Not taking orders right now</Tag>}
      {store.curbside && <Tag>Curbside</Tag>}
    </span>
  );
}

function Wait({ minutes }: { minutes: number }): ReactNode {
  return (
    <span className="t-tag num large-text:text-left text-right font-medium text-ink-2">
      <b className="block font-display font-semibold text-[1.375rem] text-ink leading-[1.1] tracking-[-0.02em]">
        {minutes} min
      </b>
      wait
    </span>
  );
}

function FavoriteMark(): ReactNode {
  return (
    <>
      <Heart aria-hidden="true" size={16} fill="currentColor" className="shrink-0 text-ink-2" />
      <span className="sr-only">, favorite</span>
    </>
  );
}

/** A separator. Screen readers announce it as a pause. */
export function Dot(): ReactNode {
  return (
    <>
      <span className="sr-only">, </span>
      <span aria-hidden="true" className="mx-[0.28em] text-ink-3 opacity-60">
        ·
      </span>
    </>
  );
}
