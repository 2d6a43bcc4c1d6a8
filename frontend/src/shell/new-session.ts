import { get } from "@/api/client";
import { clockLead } from "@/lib/clock-lead";
import { device } from "@/state/device";

let checking: Promise<void> | undefined;

/**
 * Clears a pending sign-out if the gateway has exchanged a hand-over code since: the cookie is that of the new session then. Throws if
 * the server cannot be reached.
 */
export function keepNewSession(): Promise<void> {
  checking ??= check().finally(() => {
    checking = undefined;
  });
  return checking;
}

async function check(): Promise<void> {
  const signedOutAt = device.signedOutAt.get();
  // The gateway redirects to the page without the code, also after an invalid one.
  if (!signedOutAt || !device.signOutPending.get() || !isRedirected()) return;
  const { success, data, date } = await get("/user/sessions", {}, { withSession: true });
  const current = success ? data.sessions.find(({ isCurrent }) => isCurrent) : undefined;
  // The device has recorded the sign-out by its own clock.
  if (current && Date.parse(current.signedInAt) + clockLead(date) > Date.parse(signedOutAt)) {
    device.signOutPending.clear();
  }
}

function isRedirected(): boolean {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return navigation !== undefined && navigation.redirectCount > 0;
}
