import type { QueryClient } from "@tanstack/react-query";
import { device } from "@/state/device";
import { clearPersonalCache } from "./personal-cache";
import { type Profile, sessionQuery, storeProfile } from "./queries";

/** Takes over a new session: drops what was loaded before, for example for another consumer, and loads it again where it shows. */
export async function startSession(queryClient: QueryClient, profile: Profile): Promise<void> {
  device.signOutPending.clear();
  storeProfile(profile);
  // An expired session of another consumer may have left cached responses.
  await clearPersonalCache();
  await queryClient.cancelQueries();
  queryClient.setQueryData(sessionQuery.queryKey, profile);
  void queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
}
