import { useMutation, useQueryClient } from "@tanstack/react-query";
import { dataOf, post } from "@/api/client";
import type { PostBody } from "@/api/contract";
import { ApiError } from "@/api/errors";
import { orderKeys } from "@/shell/queries";

type Feedback = PostBody<"/analytics/order-feedback">;

const FAILED = "Failed to submit feedback. Please try again";

interface FeedbackFailure {
  isAlreadySent: boolean;
  /** The server's sentence. */
  message: string;
}

/**
 * Sends feedback. Resolves to undefined, or to why it was not stored: a failure that the server reports is a result, not an error
 * (specification section 8).
 */
export function useSendOrderFeedback() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: sendOrderFeedback,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: orderKeys.all }),
  });
}

async function sendOrderFeedback(feedback: Feedback): Promise<FeedbackFailure | undefined> {
  const response = await post("/analytics/order-feedback", feedback).catch((error: unknown) => {
    // The gateway itself responds with 503 if it is overloaded.
    if (error instanceof ApiError && error.status === 503) return null;
    throw error;
  });
  if (response === null) return { isAlreadySent: false, message: FAILED };
  if (response.success) return undefined;
  if (response.status !== 200) dataOf(response);
  const { reason, errors } = response;
  return { isAlreadySent: reason === "FEEDBACK_ALREADY_SENT", message: errors[0] ?? FAILED };
}
