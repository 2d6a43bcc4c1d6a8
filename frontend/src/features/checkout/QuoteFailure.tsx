import type { ReactNode } from "react";
import { isPassing, sentence } from "@/api/errors";
import { Button } from "@/ui/Button";
import { Notice } from "@/ui/Notice";

interface QuoteFailureProps {
  error: Error;
  onRetry: () => void;
  /** It is being asked for again. */
  busy: boolean;
}

/** Why there is no price and no promise, and another try where that may help. */
export function QuoteFailure({ error, onRetry, busy }: QuoteFailureProps): ReactNode {
  const retry = (
    <Button look="link" busy={busy} onClick={onRetry}>
      Try again
    </Button>
  );
  return <Notice action={isPassing(error) && retry}>{sentence(error)}</Notice>;
}
