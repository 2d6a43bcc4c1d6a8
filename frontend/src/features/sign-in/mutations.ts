import { useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import type { PostBody, PostData } from "@/api/contract";
import { sessionQuery } from "@/shell/queries";
import { clearPersonalCache } from "@/shell/session";

export type LoginResponse = PostData<"/authentication/login">;

/** Asks for a code. The answer is the same for known and unknown numbers. */
export function useLogin() {
  return useMutation({
    mutationFn: (phone: string) => write("/authentication/login", { phone }),
    meta: { handlesErrors: true },
  });
}

/** Trades the code for a session; the server sets the cookie. */
export function useVerify() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: PostBody<"/authentication/verify">) => write("/authentication/verify", body),
    onSuccess: async ({ profile }) => {
      // A session that ran out leaves what it kept: it may have been somebody else's.
      await clearPersonalCache();
      // Everything asked before was asked as nobody.
      await queryClient.cancelQueries();
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
      queryClient.setQueryData(sessionQuery.queryKey, profile);
    },
    meta: { handlesErrors: true },
  });
}
