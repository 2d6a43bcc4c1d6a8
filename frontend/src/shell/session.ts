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
  return stored ? { ...stored, photo: null } : undefined;
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
