import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import type { PostPath } from "@/api/contract";
import { errorMessage, isUnauthorized } from "@/api/errors";
import { toast } from "@/ui/toast";
import type { Step } from "./board";
import { consoleKeys, type StaffSession, type StoreItem } from "./queries";
import { updateQueue } from "./update-queue";

// The generic handler of failed mutations is for consumers: it resets their cart and opens their sign-in.
const meta = { handlesErrors: true };

const STEP_PATHS = {
  accept: "/store-api/orders/{id}/accept",
  start: "/store-api/orders/{id}/start",
  ready: "/store-api/orders/{id}/ready",
  complete: "/store-api/orders/{id}/complete",
} as const satisfies Record<Step, PostPath>;

/** Completes the path of a call. The type remains the template, which the contract knows. */
function withId<Path extends PostPath>(path: Path, id: string): Path {
  return path.replace("{id}", encodeURIComponent(id)) as Path;
}

export function useSignInStaff() {
  const queryClient = useQueryClient();
  return useMutation({
    meta,
    mutationFn: (body: { storeCode: string; pin: string }) => write("/store-api/staff/sign-in", body),
    onSuccess: (session) => queryClient.setQueryData(consoleKeys.session, session),
  });
}

export function useSignOutStaff() {
  const queryClient = useQueryClient();
  return useMutation({
    meta,
    mutationFn: () => write("/store-api/staff/sign-out", undefined),
    onSuccess: () => endSession(queryClient),
    onError: (error) => handleError(error, queryClient),
  });
}

/** Moves an order to its next state. */
export function useStep(storeId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    meta,
    mutationFn: ({ orderId, step }: { orderId: string; step: Step }) =>
      write(withId(STEP_PATHS[step], orderId), undefined),
    onSuccess: (order) => updateQueue(queryClient, storeId, order),
    // The consumer may have cancelled, or a colleague was faster.
    onError: (error) => {
      handleError(error, queryClient);
      void queryClient.invalidateQueries({ queryKey: consoleKeys.queue(storeId) });
    },
  });
}

export function useReject(storeId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    meta,
    mutationFn: ({ orderId, reason }: { orderId: string; reason: string }) =>
      write(withId("/store-api/orders/{id}/reject", orderId), { reason }),
    onSuccess: (order) => updateQueue(queryClient, storeId, order),
    onError: (error) => {
      handleError(error, queryClient);
      void queryClient.invalidateQueries({ queryKey: consoleKeys.queue(storeId) });
    },
  });
}

export function useSetPaused(storeId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    meta,
    mutationFn: (paused: boolean) =>
      write(
        withId(paused ? "/store-api/stores/{id}/pause" : "/store-api/stores/{id}/resume", storeId),
        undefined,
      ),
    onSuccess: ({ openState, hoursToday, waitMinutes }) =>
      queryClient.setQueryData<StaffSession | null>(
        consoleKeys.session,
        (session) => session && { ...session, openState, hoursToday, waitMinutes },
      ),
    onError: (error) => handleError(error, queryClient),
  });
}

/** Marks an item as sold out or available. The switch moves at once, and back if that fails. */
export function useSetSoldOut(storeId: string) {
  const queryClient = useQueryClient();
  const update = (itemId: string, soldOut: boolean) =>
    queryClient.setQueryData<StoreItem[]>(consoleKeys.menu(storeId), (items) =>
      items?.map((item) => (item.itemId === itemId ? { ...item, soldOut } : item)),
    );
  return useMutation({
    meta,
    mutationFn: ({ itemId, soldOut }: { itemId: string; soldOut: boolean }) =>
      write(withId("/store-api/stores/{id}/availability", storeId), { subject: "item", id: itemId, soldOut }),
    onMutate: ({ itemId, soldOut }) => void update(itemId, soldOut),
    onError: (error, { itemId, soldOut }) => {
      update(itemId, !soldOut);
      handleError(error, queryClient);
    },
  });
}

/** Opens the sign-in. */
export function endSession(queryClient: QueryClient): void {
  queryClient.setQueryData(consoleKeys.session, null);
  queryClient.removeQueries({ queryKey: ["console", "queue"] });
}

function handleError(error: unknown, queryClient: QueryClient): void {
  if (isUnauthorized(error)) endSession(queryClient);
  else toast(errorMessage(error), "error");
}
