import type { QueryClient } from "@tanstack/react-query";
import { type Profile, sessionKeys, sessionQuery } from "@/shell/queries";
import { sendToShell } from "./bridge";

/** Sends `session`, `user` and `logout` when the session or the profile changes. */
export function sendSession(queryClient: QueryClient): () => void {
  let previous: Profile | null | undefined;
  const send = () => {
    const profile = queryClient.getQueryData(sessionQuery.queryKey);
    if (profile === undefined || profile === previous) return;
    if (previous && previous.id !== profile?.id) sendToShell("logout", {});
    if (previous === undefined || previous?.id !== profile?.id) {
      sendToShell("session", { signedIn: profile !== null });
    }
    if (profile) sendUser(profile);
    previous = profile;
  };
  send();
  return queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] === sessionKeys.profile[0]) send();
  });
}

function sendUser({ id, email, firstName, lastName, phone, shareCode, points }: Profile): void {
  sendToShell("user", { id, email, firstName, lastName, phone, shareCode, points: points ?? null });
}
