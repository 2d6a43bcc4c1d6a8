import { useMutation, useQueryClient } from "@tanstack/react-query";
import { dataOf, post } from "@/api/client";
import type { PostBody } from "@/api/contract";
import { orderKeys } from "@/shell/queries";

type Feedback = PostBody<"/analytics/order-feedback">;

const FAILED = "Failed to submit feedback. Please try again";

interface FeedbackFailure {
  isAlreadySent: boolean;
  /** The server's sentence. */
  message: string;
}

/**
 * Sends feedback. Resolves to undefined, or to why it was not stored: a failure that the server reports with status 200 is a result, not
 * an error (specification section 8).
 */
export function useSendOrderFeedback() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (feedback: Feedback): Promise<FeedbackFailure | undefined> => {
      const response = await post("/analytics/order-feedback", feedback);
      if (response.success) return undefined;
      if (response.status !== 200) dataOf(response);
      const { reason, errors } = response;
      return { isAlreadySent: reason === "FEEDBACK_ALREADY_SENT", message: errors[0] ?? FAILED };
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: orderKeys.all }),
  });
}
