import { useSyncExternalStore } from "react";
import { currentPosition, type LocationRefusal, type Position } from "@/lib/geo";
import { device } from "@/state/device";

/**
 * Where the person is, as far as they let us know. Asked for only on their own press (the location screen, "Near me");
 * once they said yes, found again at each start without a question.
 */
export type Whereabouts =
  | { state: "unasked" | "looking" | "denied" | "unavailable"; position: null }
  | { state: "found"; position: Position };

let now: Whereabouts = { state: "unasked", position: null };
const listeners = new Set<() => void>();

function become(next: Whereabouts): void {
  now = next;
  for (const listener of listeners) listener();
}

/** Asks the device, and through it perhaps the person. Resolves with what came of it. */
export async function locate(): Promise<Whereabouts> {
  if (now.state === "looking") return now;
  if (now.state !== "found") become({ state: "looking", position: null });
  try {
    const position = await currentPosition();
    device.locationServices.set("granted");
    become({ state: "found", position });
  } catch (refusal) {
    const state = refusal as LocationRefusal;
    if (state === "denied") device.locationServices.set("denied");
    become({ state, position: null });
  }
  return now;
}

/** Forgets where the person is: for tests, and for who no longer wants to be found. */
export function forgetPosition(): void {
  become({ state: "unasked", position: null });
}

export function useWhereabouts(): Whereabouts {
  return useSyncExternalStore(subscribe, whereabouts, whereabouts);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // The first who wants to know starts the search, where the person already said yes.
  if (now.state === "unasked" && device.locationServices.get() === "granted") void locate();
  return () => listeners.delete(listener);
}

const whereabouts = (): Whereabouts => now;
