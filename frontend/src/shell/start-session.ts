import type { QueryClient } from "@tanstack/react-query";
import { device } from "@/state/device";
import { clearPersonalCache } from "./personal-cache";
import { type Profile, sessionQuery, storeProfile } from "./queries";

/** Starts a new session: clears cached queries and refetches the visible ones. */
export async function startSession(queryClient: QueryClient, profile: Profile): Promise<void> {
  device.signOutPending.clear();
  storeProfile(profile);
  // An expired session of another consumer may have left cached responses.
  await clearPersonalCache();
  await queryClient.cancelQueries();
  queryClient.setQueryData(sessionQuery.queryKey, profile);
  void queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
}
