import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { type ErrorComponentProps, Link, Navigate, useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { isExpected, isUnauthorised, sentence } from "@/api/errors";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { look } from "@/ui/press";
import { report } from "./error-reports";
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
  const retry = () => {
    queries.reset();
    reset();
    void router.invalidate();
  };
  return (
    <Page>
      <Empty heading="h1" title="This cup came out empty" action={<Button onClick={retry}>Try again</Button>}>
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
