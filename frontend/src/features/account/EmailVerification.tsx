import type { ReactNode } from "react";
import { errorMessage } from "@/api/errors";
import { Button } from "@/ui/Button";
import { useRequestEmailVerification } from "./mutations";

/** Shows that the address of the profile is not verified, and sends a link that verifies it. */
export function EmailVerification(): ReactNode {
  const request = useRequestEmailVerification();
  return (
    <div className="grid justify-items-start gap-2">
      <p role="status" className="t-small text-ink-2">
        {getStatus(request)}
      </p>
      {!request.isSuccess && (
        <Button variant="line" busy={request.isPending} onClick={() => request.mutate()}>
          Send me a link
        </Button>
      )}
    </div>
  );
}

function getStatus({ isSuccess, error }: ReturnType<typeof useRequestEmailVerification>): string {
  if (error) return errorMessage(error);
  if (isSuccess) return "Sent. Open the link in the email within 24 hours.";
  // A link may not have been sent yet: the server limits the emails to an address.
  return "Verify your email to get messages there.";
}
