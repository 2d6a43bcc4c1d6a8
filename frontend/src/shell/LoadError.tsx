import type { ReactNode } from "react";
import { errorMessage } from "@/api/errors";
import { Button } from "@/ui/Button";

interface LoadErrorProps {
  error: unknown;
  /** Replaces the reason. */
  message?: string;
  onRetry: () => unknown;
  busy?: boolean;
}

/** Replaces a part of a screen that failed to load: the reason, and a button that tries again. */
export function LoadError({
  error,
  message = errorMessage(error),
  onRetry,
  busy = false,
}: LoadErrorProps): ReactNode {
  return (
    <div className="grid justify-items-start gap-3 py-3">
      <p role="alert" className="text-ink-2">
        {message}
      </p>
      <Button variant="soft" busy={busy} onClick={() => void onRetry()}>
        Try again
      </Button>
    </div>
  );
}
