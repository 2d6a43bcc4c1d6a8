import type { ReactNode } from "react";
import { errorMessage } from "@/api/errors";
import { ScriptError } from "@/provider/script";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";

interface ProviderFormErrorProps {
  title: string;
  error: Error;
  onRetry: () => void;
}

/** Replaces a form of the payment provider that failed to load. */
export function ProviderFormError({ title, error, onRetry }: ProviderFormErrorProps): ReactNode {
  return (
    <Empty title={title} action={<Button onClick={onRetry}>Try again</Button>}>
      <p role="alert">
        {error instanceof ScriptError
          ? "We couldn't reach our payment provider. Check your connection or turn off your ad blocker, then try again."
          : errorMessage(error)}
      </p>
    </Empty>
  );
}
