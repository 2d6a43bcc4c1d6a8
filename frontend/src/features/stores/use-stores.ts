import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Position } from "@/lib/geo";
import type { Narrowing } from "./narrowing";
import { type Store, storesQuery } from "./queries";

/** Between two keys of somebody who types steadily. */
const TYPING_MS = 250;

/** How many stores come at once, and the most that the server gives. */
const PAGE = 40;
const MOST = 100;

/** The stores that fit, nearest first, and whether the answer is still on its way. */
export function useStores(position: Position | null, wanted: Narrowing) {
  const [take, setTake] = useState(PAGE);
  const term = useSettled((wanted.q ?? "").trim());
  const filter = { curbside: wanted.curbside, favorites: wanted.favorites };
  const query = useQuery(storesQuery(position, filter, term.length >= 2 ? term : "", take));
  const stores = query.data?.stores.filter((store) => fits(store, wanted));
  const full = (query.data?.stores.length ?? 0) >= take;
  const showMore = full && take < MOST ? () => setTake((now) => Math.min(MOST, now + PAGE)) : undefined;
  return { ...query, stores, term, full, showMore };
}

/** What the server does not sort out by itself: search knows no favourites, and no list knows only open stores. */
export function fits(store: Store, { open, favorites }: Narrowing): boolean {
  return (!open || store.openState === "open") && (!favorites || store.favorite);
}

/** A value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
