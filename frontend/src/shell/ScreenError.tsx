import { useQueryClient, useQueryErrorResetBoundary } from "@tanstack/react-query";
import { type ErrorComponentProps, Link, Navigate, useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { isExpected, isMissingCode, isUnauthorised, NetworkError, sentence } from "@/api/errors";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { look } from "@/ui/press";
import { checkBuild, reloadWhenIdle } from "./build-check";
import { report } from "./error-reports";
import { BackButton } from "./Header";
import { BREWING, LoadingScreen } from "./Loader";
import { Page } from "./Page";

/** A screen whose data could not be had: what happened, and a way on. Everything around it stays usable. */
export function ScreenError({ error, reset }: ErrorComponentProps): ReactNode {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  useEffect(() => {
    if (!isExpected(error)) report(error);
  }, [error]);
  if (isUnauthorised(error)) {
    return <Navigate to="/sign-in/getting-started" search={{ next: router.state.location.href }} replace />;
  }
  if (isMissingCode(error)) return <MissingCode error={error} />;
  const retry = () => {
    queries.reset();
    reset();
    void router.invalidate();
  };
  return <Spilled error={error} onRetry={retry} />;
}

/** A release may have replaced the screen's code: then the page is loading anew already. */
function MissingCode({ error }: { error: Error }): ReactNode {
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(true);
  useEffect(() => {
    void checkBuild(() => reloadWhenIdle(queryClient)).then(setAsking);
  }, [queryClient]);
  // The browser keeps a failed part of the code for failed: only a new page asks for it again.
  return asking ? (
    <LoadingScreen text={BREWING} />
  ) : (
    <Spilled error={error} onRetry={() => location.reload()} />
  );
}

function Spilled({ error, onRetry }: { error: unknown; onRetry: () => void }): ReactNode {
  const offline = error instanceof NetworkError || isMissingCode(error);
  useEffect(() => {
    if (!offline) return;
    window.addEventListener("online", onRetry);
    return () => window.removeEventListener("online", onRetry);
  }, [offline, onRetry]);
  return (
    <Page
      header={
        <div className="px-2.5 pt-2">
          <BackButton up="/" />
        </div>
      }
    >
      <Empty
        heading="h1"
        title="This cup came out empty"
        action={<Button onClick={onRetry}>Try again</Button>}
      >
        <p role="alert">{sentence(error)}</p>
      </Empty>
    </Page>
  );
}

/** An address that leads nowhere. */
export function NotFound(): ReactNode {
  return (
    <Page>
      <Empty
        heading="h1"
        title="Nothing on this shelf"
        action={
          <Link to={"/" as string} className={look("solid")}>
            Back to home
          </Link>
        }
      >
        The page you asked for is not here.
      </Empty>
    </Page>
  );
}
