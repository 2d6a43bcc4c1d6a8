import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import type { PostBody, PostData, PostPath } from "@/api/contract";
import { errorMessage, isUnauthorized } from "@/api/errors";
import { toast } from "@/ui/toast";
import type { Step } from "./board";
import { consoleKeys, type Schedule, type StaffSession, type StoreMenu } from "./queries";
import { applySwitch, type SoldOutSwitch } from "./sold-out";
import { updateQueue } from "./update-queue";
import { withId } from "./with-id";

// The generic handler of failed mutations is for consumers: it resets their cart and opens their sign-in.
const meta = { handlesErrors: true, handlesUnauthorized: true };

const STEP_PATHS = {
  accept: "/store-api/orders/{id}/accept",
  start: "/store-api/orders/{id}/start",
  ready: "/store-api/orders/{id}/ready",
  complete: "/store-api/orders/{id}/complete",
} as const satisfies Record<Step, PostPath>;

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
    // The consumer may have canceled, or another staff member may have updated the order first.
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
    onSuccess: (order) => {
      updateQueue(queryClient, storeId, order);
      void queryClient.invalidateQueries({ queryKey: consoleKeys.scheduled(storeId) });
    },
    onError: (error) => {
      handleError(error, queryClient);
      void queryClient.invalidateQueries({ queryKey: consoleKeys.queue(storeId) });
    },
  });
}

/** Promises a later time. The consumer sees it at once. */
export function useDelay(storeId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    meta,
    mutationFn: ({ orderId, readyAt, reason }: { orderId: string; readyAt: string; reason: string }) =>
      write(withId("/store-api/orders/{id}/delay", orderId), { readyAt, reason }),
    onSuccess: (order) => updateQueue(queryClient, storeId, order),
    onError: (error) => {
      handleError(error, queryClient);
      void queryClient.invalidateQueries({ queryKey: consoleKeys.queue(storeId) });
    },
  });
}

/** Moves a scheduled order to another time. */
export function useReschedule(storeId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    meta,
    mutationFn: ({ orderId, readyAt, reason }: { orderId: string; readyAt: string; reason: string }) =>
      write(withId("/store-api/orders/{id}/reschedule", orderId), { readyAt, reason }),
    onError: (error) => handleError(error, queryClient),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: consoleKeys.scheduled(storeId) });
      void queryClient.invalidateQueries({ queryKey: consoleKeys.pickupTimes(storeId) });
    },
  });
}

export type PauseRequest = NonNullable<PostBody<"/store-api/stores/{id}/pause">>;

/** Pauses new orders, or resumes them with `null`. */
export function useSetPause(storeId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    meta,
    mutationFn: (pause: PauseRequest | null) =>
      pause
        ? write(withId("/store-api/stores/{id}/pause", storeId), pause)
        : write(withId("/store-api/stores/{id}/resume", storeId), undefined),
    onSuccess: ({ openState, hoursToday, waitMinutes, pause }) =>
      queryClient.setQueryData<StaffSession | null>(
        consoleKeys.session,
        (session) => session && { ...session, openState, hoursToday, waitMinutes, pause },
      ),
    onError: (error) => handleError(error, queryClient),
  });
}

/** Marks an item, a size or a choice as sold out or available. The switch moves at once, and back if that fails. */
export function useSetSoldOut(storeId: string) {
  const queryClient = useQueryClient();
  const update = (soldOut: SoldOutSwitch) =>
    queryClient.setQueryData<StoreMenu>(
      consoleKeys.menu(storeId),
      (menu) => menu && applySwitch(menu, soldOut),
    );
  return useMutation({
    meta,
    mutationKey: consoleKeys.soldOut,
    mutationFn: (soldOut: SoldOutSwitch) =>
      write(withId("/store-api/stores/{id}/availability", storeId), soldOut),
    onMutate: (soldOut) => void update(soldOut),
    onError: (error, soldOut) => {
      update({ ...soldOut, soldOut: !soldOut.soldOut });
      handleError(error, queryClient);
    },
  });
}

/** Stores a changed schedule, with the scheduled orders that are now outside the hours. Without them, reads them again. */
function useScheduleChange<Variables>(
  storeId: string,
  mutationFn: (variables: Variables) => Promise<PostData<"/store-api/stores/{id}/hours">>,
) {
  const queryClient = useQueryClient();
  return useMutation({
    meta,
    mutationFn,
    onSuccess: ({ schedule, scheduled }) => {
      storeSchedule(queryClient, storeId, schedule);
      const queryKey = consoleKeys.scheduled(storeId);
      if (scheduled) queryClient.setQueryData(queryKey, scheduled);
      else void queryClient.invalidateQueries({ queryKey });
      void queryClient.invalidateQueries({ queryKey: consoleKeys.session });
    },
    onError: (error) => handleScheduleError(error, queryClient, storeId),
  });
}

export const useSetWeeklyHours = (storeId: string) =>
  useScheduleChange(storeId, (week: Schedule["week"]) =>
    write(withId("/store-api/stores/{id}/hours", storeId), { week }),
  );

export const useSetSpecialDay = (storeId: string) =>
  useScheduleChange(storeId, (day: Schedule["specialDays"][number]) =>
    write(withId("/store-api/stores/{id}/special-day", storeId), day),
  );

export const useDeleteSpecialDay = (storeId: string) =>
  useScheduleChange(storeId, (day: string) =>
    write(withId("/store-api/stores/{id}/delete-special-day", storeId), { day }),
  );

/** Sets the number of baristas: of one day, or by default. Sends one change after the other. */
export function useSetBaristas(storeId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    meta,
    scope: { id: "baristas" },
    mutationFn: (body: { baristas: number; day?: string }) =>
      write(withId("/store-api/stores/{id}/baristas", storeId), body),
    onSuccess: (schedule) => {
      storeSchedule(queryClient, storeId, schedule);
      void queryClient.invalidateQueries({ queryKey: consoleKeys.load(storeId) });
      void queryClient.invalidateQueries({ queryKey: consoleKeys.session });
    },
    onError: (error) => handleScheduleError(error, queryClient, storeId),
  });
}

/** Stores a changed schedule. A request that was sent before the change would undo it. */
function storeSchedule(queryClient: QueryClient, storeId: string, schedule: Schedule): void {
  const queryKey = consoleKeys.schedule(storeId);
  void queryClient.cancelQueries({ queryKey }, { revert: false });
  queryClient.setQueryData(queryKey, schedule);
}

/** Reads the schedule again, because the change may be for a day that has ended. */
function handleScheduleError(error: unknown, queryClient: QueryClient, storeId: string): void {
  handleError(error, queryClient);
  void queryClient.invalidateQueries({ queryKey: consoleKeys.schedule(storeId) });
}

/** Takes a payment at the counter. The form shows its errors. */
export function useRedeemCounterPin(storeId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    meta,
    mutationFn: (body: PostBody<"/store-api/stores/{id}/counter-payments">) =>
      write(withId("/store-api/stores/{id}/counter-payments", storeId), body),
    onError: (error) => {
      if (isUnauthorized(error)) endSession(queryClient);
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
