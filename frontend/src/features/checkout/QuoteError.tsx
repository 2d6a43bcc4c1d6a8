import type { ReactNode } from "react";
import { errorMessage, isRetriable } from "@/api/errors";
import { Button } from "@/ui/Button";
import { Notice } from "@/ui/Notice";

interface QuoteErrorProps {
  error: Error;
  onRetry: () => void;
  busy: boolean;
}

/** Shows why the quote failed to load, with a retry if that may help. */
export function QuoteError({ error, onRetry, busy }: QuoteErrorProps): ReactNode {
  const retry = (
    <Button variant="link" busy={busy} onClick={onRetry}>
      Try again
    </Button>
  );
  return <Notice action={isRetriable(error) && retry}>{errorMessage(error)}</Notice>;
}
