import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { errorMessage, isUnauthorized } from "@/api/errors";
import { loadCode } from "@/shell/missing-code";
import { Button } from "@/ui/Button";
import { toast } from "@/ui/toast";

/** Opens the modal that takes the payment of what the consumer owes. */
export function PayNow(): ReactNode {
  const queryClient = useQueryClient();
  const open = useMutation({
    mutationFn: async () => {
      const { openFailedPaymentsModal } = await loadCode(() => import("./-failed-payments-modal"));
      return openFailedPaymentsModal(queryClient);
    },
    onSuccess: (isOpen) => {
      if (!isOpen) toast("You have nothing to pay", "success");
    },
    onError: (error) => {
      // The queries of the modal lead to sign-in.
      if (!isUnauthorized(error)) toast(errorMessage(error), "error");
    },
    meta: { handlesErrors: true, handlesUnauthorized: true },
  });
  return (
    <Button variant="link" busy={open.isPending} onClick={() => open.mutate()}>
      Pay now
    </Button>
  );
}
