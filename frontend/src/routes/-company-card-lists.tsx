import { type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import {
  companyCardHistoryQuery,
  companyCardOrdersQuery,
  companyCardUploadsQuery,
} from "@/features/company-cards/queries";
import { UploadList } from "@/features/company-cards/UploadList";
import { Activity } from "@/features/wallet/Activity";
import { LoadError } from "@/shell/LoadError";
import { Button } from "@/ui/Button";
import { Loading, SkeletonRows } from "@/ui/Skeleton";
import { useOrderDetails } from "./-order-details";

export function CompanyCardHistory({ companyId }: { companyId: string }): ReactNode {
  const history = useInfiniteQuery(companyCardHistoryQuery(companyId));
  const orders = useOrderDetails();
  const transactions = history.data?.pages.flat();
  return (
    <PagedList query={history} count={transactions?.length} empty="No activity yet.">
      <Activity transactions={transactions ?? []} orders={orders} />
    </PagedList>
  );
}

export function CompanyCardOrders({ companyId }: { companyId: string }): ReactNode {
  const history = useInfiniteQuery(companyCardOrdersQuery(companyId));
  const orders = useOrderDetails();
  const transactions = history.data?.pages.flat();
  return (
    <PagedList query={history} count={transactions?.length} empty="No orders with this card yet.">
      <Activity transactions={transactions ?? []} orders={orders} />
    </PagedList>
  );
}

export function CompanyCardUploads({ companyId }: { companyId: string }): ReactNode {
  const query = useInfiniteQuery(companyCardUploadsQuery(companyId));
  const uploads = query.data?.pages.flat();
  return (
    <PagedList query={query} count={uploads?.length} empty="Nothing added yet.">
      <UploadList uploads={uploads ?? []} />
    </PagedList>
  );
}

interface PagedListProps {
  query: Pick<
    UseInfiniteQueryResult,
    "error" | "refetch" | "hasNextPage" | "isFetchingNextPage" | "fetchNextPage"
  >;
  /** Undefined while it loads. */
  count: number | undefined;
  /** The text of an empty list. */
  empty: string;
  children: ReactNode;
}

/** A list with its loading, error and empty states, and more pages. */
function PagedList({ query, count, empty, children }: PagedListProps): ReactNode {
  if (count === undefined && query.error) {
    return <LoadError error={query.error} onRetry={query.refetch} />;
  }
  if (count === undefined) {
    return (
      <Loading>
        <SkeletonRows />
      </Loading>
    );
  }
  if (count === 0) return <p className="py-3 text-ink-2">{empty}</p>;
  return (
    <>
      {children}
      {query.hasNextPage && (
        <div className="pt-3 text-center">
          <Button variant="soft" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}
