import { useQueryClient, useQueryErrorResetBoundary } from "@tanstack/react-query";
import { type ErrorComponentProps, Link, Navigate, useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import {
  type ApiError,
  errorMessage,
  isExpected,
  isMalformedId,
  isMissing,
  isMissingCode,
  isUnauthorized,
  NetworkError,
} from "@/api/errors";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";
import { Empty } from "@/ui/Empty";
import { checkBuild, reloadWhenIdle } from "./build-check";
import { report } from "./error-reports";
import { BackButton } from "./Header";
import { BREWING, LoadingScreen } from "./Loader";
import { Page } from "./Page";

/** Replaces a screen that failed to load: shows what happened and what to do next. */
export function ScreenError({ error, reset }: ErrorComponentProps): ReactNode {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  useEffect(() => {
    if (!isExpected(error)) report(error);
  }, [error]);
  if (isUnauthorized(error)) {
    // The handler of the query navigates already.
    if (router.latestLocation.pathname.startsWith("/sign-in")) return null;
    return <Navigate to="/sign-in/getting-started" search={{ next: router.state.location.href }} replace />;
  }
  if (isMissingCode(error)) return <MissingCode error={error} />;
  if (isMalformedId(error)) return <NotFound />;
  if (isMissing(error)) return <MissingResource error={error} />;
  const retry = () => {
    queries.reset();
    reset();
    void router.invalidate();
  };
  return <LoadError error={error} onRetry={retry} />;
}

/** Reloads the page if a release has replaced the code of the screen, otherwise offers to retry. */
function MissingCode({ error }: { error: Error }): ReactNode {
  const queryClient = useQueryClient();
  const [reloading, setReloading] = useState(true);
  useEffect(() => {
    void checkBuild(() => reloadWhenIdle(queryClient)).then(setReloading);
  }, [queryClient]);
  // The browser caches a failed import. Only a reload requests it again.
  return reloading ? (
    <LoadingScreen text={BREWING} />
  ) : (
    <LoadError error={error} onRetry={() => location.reload()} />
  );
}

function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }): ReactNode {
  const offline = error instanceof NetworkError || isMissingCode(error);
  useEffect(() => {
    if (!offline) return;
    window.addEventListener("online", onRetry);
    return () => window.removeEventListener("online", onRetry);
  }, [offline, onRetry]);
  return (
    <Page header={<BackHeader />}>
      <Empty
        heading="h1"
        title="We couldn't load this page"
        action={<Button onClick={onRetry}>Try again</Button>}
      >
        <p role="alert">{errorMessage(error)}</p>
      </Empty>
    </Page>
  );
}

function BackHeader(): ReactNode {
  return (
    <div className="px-2.5 pt-2">
      <BackButton up={{ to: "/" }} />
    </div>
  );
}

/** The resource does not exist, so a retry would fail, too. */
function MissingResource({ error }: { error: ApiError }): ReactNode {
  const store = error.reason === "STORE_UNKNOWN" || error.reason === "COMPANY_UNKNOWN";
  return (
    <Page header={<BackHeader />}>
      <Empty
        heading="h1"
        title={errorMessage(error)}
        action={
          <Link to={store ? "/explore" : "/"} className={buttonVariants("solid")}>
            {store ? "Find a store" : "Go to home"}
          </Link>
        }
      />
    </Page>
  );
}

export function NotFound(): ReactNode {
  return (
    <Page>
      <Empty
        heading="h1"
        title="Page not found"
        action={
          <Link to="/" className={buttonVariants("solid")}>
            Go to home
          </Link>
        }
      >
        Check the address, or start again from home.
      </Empty>
    </Page>
  );
}
