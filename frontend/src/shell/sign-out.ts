import type { QueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import { clearOnLogout, device } from "@/state/device";
import { modals } from "./modals";
import { clearPersonalCache } from "./personal-cache";
import { sessionQuery } from "./queries";

/** Ends the session. Clears the device even if the server cannot be reached; then it throws. */
export async function logout(queryClient: QueryClient): Promise<void> {
  try {
    await write("/authentication/logout", undefined);
  } finally {
    await clearSession(queryClient);
  }
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
