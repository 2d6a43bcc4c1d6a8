import { type QueryClient, useQuery } from "@tanstack/react-query";
import { type ParsedLocation, redirect } from "@tanstack/react-router";
import { device } from "@/state/device";
import { type Profile, sessionQuery } from "./queries";

/**
 * Returns the signed-in consumer: undefined until the server has responded, null if signed out. Until then it
 * returns the copy on the device, so that home can greet the consumer at once.
 */
export function useSession(): Profile | null | undefined {
  const { data } = useQuery(sessionQuery);
  if (data !== undefined) return data;
  const stored = device.user.get();
  // Whether the address is verified is not known yet: shows no hint.
  return stored ? { ...stored, photo: null, emailVerified: true } : undefined;
}

/**
 * Starts without a session if the gateway marked the page as requested without a session cookie. Saves a call and a second
 * rendering. A profile on the device is newer than the page, which then comes from the cache of the service worker.
 */
export function startSignedOut(queryClient: QueryClient): void {
  const isSignedOut = document.querySelector('meta[name="session"]') !== null;
  if (isSignedOut && device.user.get() === null) queryClient.setQueryData(sessionQuery.queryKey, null);
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
