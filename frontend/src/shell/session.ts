import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { type ParsedLocation, redirect } from "@tanstack/react-router";
import { dataOf, get, write } from "@/api/client";
import type { GetData } from "@/api/contract";
import { clearOnLogout, device } from "@/state/device";
import { modals } from "./modals";

export type Profile = GetData<"/user/profile">;

/** Who is signed in; null for nobody, which is an answer here and no failure. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ signal }): Promise<Profile | null> => {
    const answer = await get("/user/profile", {}, { signal });
    if (answer.status === 401) return null;
    const profile = dataOf(answer);
    const { id, email, firstName, lastName, phone, shareCode, points } = profile;
    device.user.set({ id, email, firstName, lastName, phone, shareCode, points: points ?? null });
    return profile;
  },
  staleTime: 5 * 60_000,
});

/**
 * Who is signed in: undefined until the server has answered, null for nobody. The device's copy stands in for the
 * first moment of a start, so that the home screen can greet at once.
 */
export function useSession(): Profile | null | undefined {
  const { data } = useQuery(sessionQuery);
  if (data !== undefined) return data;
  return device.user.get() ?? undefined;
}

interface Guarded {
  context: { queryClient: QueryClient };
  location: ParsedLocation;
}

/** `beforeLoad` of a screen that only a signed-in consumer has; comes back to it after signing in. */
export async function requireSession({ context, location }: Guarded): Promise<void> {
  const session = await context.queryClient.ensureQueryData(sessionQuery);
  if (session === null) throw redirect({ to: "/sign-in/getting-started", search: { next: location.href } });
}

/** Ends the session, here first: nothing of the person stays even if the server cannot be reached. */
export async function logout(queryClient: QueryClient): Promise<void> {
  try {
    await write("/authentication/logout", undefined);
  } finally {
    clearOnLogout();
    modals.closeAll();
    queryClient.clear();
    queryClient.setQueryData(sessionQuery.queryKey, null);
    await clearPersonalCache();
  }
}

/** Forgets what the service worker kept of a person for offline use. */
export async function clearPersonalCache(): Promise<void> {
  await globalThis.caches?.delete("personal");
}
