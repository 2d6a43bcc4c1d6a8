import { useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import { rewardKeys, sessionKeys } from "@/shell/queries";
import { toast } from "@/ui/toast";
import { formatReward } from "./format";

/** Claims the points of a completed challenge. */
export function useClaimChallenge() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (challengeId: string) => write("/user/challenges/claim", { challengeId }),
    onSuccess: ({ challenge }) => toast(`${formatReward(challenge)} added`, "success"),
    // After an error as well: it may be claimed already, on another device.
    onSettled: () =>
      Promise.all(
        [...rewardKeys, sessionKeys.profile].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  });
}
