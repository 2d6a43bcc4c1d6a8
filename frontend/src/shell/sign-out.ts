import type { QueryClient } from "@tanstack/react-query";
import { dataOf, post } from "@/api/client";
import { clearOnLogout, device } from "@/state/device";
import { modals } from "./modals";
import { keepNewSession } from "./new-session";
import { clearPersonalCache } from "./personal-cache";
import { sessionQuery } from "./queries";

/** Clears the device, then ends the session. Throws if the server cannot be reached; the app repeats the call then. */
export async function logout(queryClient: QueryClient): Promise<void> {
  device.signOutPending.set(true);
  device.signedOutAt.set(new Date().toISOString());
  const cleared = clearSession(queryClient);
  await endSession();
  await cleared;
}

let ending: Promise<void> | undefined;

/** Ends the session on the server, with one call at a time. */
export function endSession(): Promise<void> {
  ending ??= sendLogout().finally(() => {
    ending = undefined;
  });
  return ending;
}

/** A 401 is a success: the session has ended before. */
async function sendLogout(): Promise<void> {
  await keepNewSession();
  if (!device.signOutPending.get()) return;
  const response = await post("/authentication/logout", undefined);
  if (response.status !== 401) dataOf(response);
  device.signOutPending.clear();
}

/** Clears the device after the account was deleted, including the items that survive a sign-out. */
export async function forgetConsumer(queryClient: QueryClient): Promise<void> {
  await clearSession(queryClient);
  const { owner, preferredPaymentMethod, vehicle, bookmark, reviewRequested, showedUsualItemGuide } = device;
  for (const item of [
    owner,
    preferredPaymentMethod,
    vehicle,
    bookmark,
    reviewRequested,
    showedUsualItemGuide,
    device.lastPushRequest,
    device.pushRequestAccepted,
  ]) {
    item.clear();
  }
}

async function clearSession(queryClient: QueryClient): Promise<void> {
  clearOnLogout();
  modals.closeAll();
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, null);
  await clearPersonalCache();
}
