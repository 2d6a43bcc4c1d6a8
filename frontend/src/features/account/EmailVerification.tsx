import type { ReactNode } from "react";
import { errorMessage } from "@/api/errors";
import { Button } from "@/ui/Button";
import { useRequestEmailVerification } from "./mutations";

/** Says that the address of the profile is not verified, and sends the link again. */
export function EmailVerification(): ReactNode {
  const request = useRequestEmailVerification();
  return (
    <div role="status" className="grid justify-items-start gap-2">
      <p className="t-small text-ink-2">{getStatus(request)}</p>
      {!request.isSuccess && (
        <Button variant="line" busy={request.isPending} onClick={() => request.mutate()}>
          Send the link again
        </Button>
      )}
    </div>
  );
}

function getStatus({ isSuccess, error }: ReturnType<typeof useRequestEmailVerification>): string {
  if (error) return errorMessage(error);
  if (isSuccess) return "Sent. Open the link in the email within 24 hours.";
  return "Your email address isn't verified yet, so it gets no messages. Open the link that we sent you.";
}
