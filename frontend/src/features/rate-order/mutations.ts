import { useMutation, useQueryClient } from "@tanstack/react-query";
import { dataOf, post } from "@/api/client";
import type { PostBody } from "@/api/contract";
import { orderKeys } from "@/shell/queries";

type Feedback = PostBody<"/analytics/order-feedback">;

/** Why feedback was not stored; empty if it was. */
export type FeedbackFailure = "" | "ALREADY_SENT" | "FAILED";

/** Sends feedback. A failure that the server reports with status 200 is a result, not an error (specification section 8). */
export function useSendOrderFeedback() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (feedback: Feedback): Promise<FeedbackFailure> => {
      const response = await post("/analytics/order-feedback", feedback);
      if (response.success) return "";
      if (response.status !== 200) dataOf(response);
      return response.reason === "FEEDBACK_ALREADY_SENT" ? "ALREADY_SENT" : "FAILED";
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: orderKeys.all }),
  });
}
