import type { ReactNode } from "react";
import { errorMessage, isRetriable } from "@/api/errors";
import { Button } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import { FindStoreLink } from "./StoreProblemNotice";
import { isStoreUnavailable } from "./store-problem";

interface QuoteErrorProps {
  error: Error;
  onRetry: () => void;
  busy: boolean;
}

/** Shows why the quote failed to load, with a retry or another store if that may help. */
export function QuoteError({ error, onRetry, busy }: QuoteErrorProps): ReactNode {
  const retry = (
    <Button variant="link" busy={busy} onClick={onRetry}>
      Try again
    </Button>
  );
  const action = isStoreUnavailable(error) ? <FindStoreLink variant="link" /> : isRetriable(error) && retry;
  return <Notice action={action}>{errorMessage(error)}</Notice>;
}
