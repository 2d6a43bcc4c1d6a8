import { type QueryClient, useQuery } from "@tanstack/react-query";
import { type ParsedLocation, redirect } from "@tanstack/react-router";
import { write } from "@/api/client";
import { clearOnLogout, device } from "@/state/device";
import { modals } from "./modals";
import { clearPersonalCache } from "./personal-cache";
import { type Profile, sessionQuery } from "./queries";

/**
 * Returns the signed-in consumer: undefined until the server has responded, null if nobody is signed in. Until then it
 * returns the copy on the device, so that home can greet the consumer at once.
 */
export function useSession(): Profile | null | undefined {
  const { data } = useQuery(sessionQuery);
  if (data !== undefined) return data;
  return device.user.get() ?? undefined;
}

interface GuardOptions {
  context: { queryClient: QueryClient };
  location: ParsedLocation;
}

/** `beforeLoad` of a screen that requires sign-in. Signing in returns to the screen. */
export async function requireSession({ context, location }: GuardOptions): Promise<void> {
  const session = await context.queryClient.ensureQueryData(sessionQuery);
  if (session === null) throw redirect({ to: "/sign-in/getting-started", search: { next: location.href } });
}

/** Ends the session. Clears the device even if the server cannot be reached; then it throws. */
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
