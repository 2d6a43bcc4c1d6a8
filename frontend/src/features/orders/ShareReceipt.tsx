import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "@/ui/Button";
import { receiptQuery } from "./queries";
import { shareReceipt } from "./share-receipt";

/** Shares the public link of the receipt. */
export function ShareReceipt({ orderId }: { orderId: string }): ReactNode {
  const queryClient = useQueryClient();
  const share = useMutation({
    mutationFn: async () => shareReceipt(await queryClient.fetchQuery(receiptQuery(orderId))),
  });
  return (
    <Button variant="link" busy={share.isPending} onClick={() => share.mutate()}>
      Share receipt
    </Button>
  );
}
