import { ApiError } from "@/api/errors";
import type { Quote } from "./queries";

/** Why a store cannot have the order ready at the requested time. */
export interface StoreProblem {
  title: string;
  text: string;
}

/** Returns the problem of the whole order, or undefined if the store can make it. Other problems name a line. */
export function findStoreProblem(quote: Quote | undefined): StoreProblem | undefined {
  const problem = quote?.problems.find(({ lineId }) => lineId === "");
  if (!problem) return undefined;
  const store = quote?.store;
  if (problem.reason === "STORE_PAUSED") {
    return { title: "Not taking orders right now", text: store?.pause?.message ?? problem.message };
  }
  if (problem.reason === "STORE_CLOSED" && store?.openState === "closed") {
    return { title: "Closed right now", text: `${store.hoursToday}.` };
  }
  return { title: "No pickup time yet", text: problem.message };
}

/** Returns whether the store takes no orders at all, so that only another store helps. */
export const isStoreUnavailable = (error: Error | null): boolean =>
  error instanceof ApiError && (error.reason === "STORE_CLOSED" || error.reason === "STORE_UNKNOWN");
