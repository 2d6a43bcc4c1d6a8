import { useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import type { PostBody, PostData } from "@/api/contract";
import { replaceSession } from "@/shell/pending-sign-out";
import { startSession } from "@/shell/start-session";
import { invitationItem } from "@/state/invitation";

export type LoginResponse = PostData<"/authentication/login">;

/** Requests a sign-in code. The response is the same for known and unknown numbers. */
export function useLogin() {
  return useMutation({
    mutationFn: (phone: string) => write("/authentication/login", { phone }),
    meta: { handlesErrors: true, handlesUnauthorized: true },
  });
}

/** Exchanges the code for a session. The server sets the cookie. */
export function useVerify() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: PostBody<"/authentication/verify">) => {
      const shareCode = invitationItem.get();
      return replaceSession(() => write("/authentication/verify", shareCode ? { ...body, shareCode } : body));
    },
    onSuccess: async ({ profile }) => {
      invitationItem.clear();
      await startSession(queryClient, profile);
    },
    meta: { handlesErrors: true, handlesUnauthorized: true },
  });
}
