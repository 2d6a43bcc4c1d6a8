import { device } from "@/state/device";

/**
 * Repeats a sign-out that has not reached the server. A sign-in waits for it: the response deletes the cookie of the session. Ignores
 * errors.
 */
export async function finishSignOut(): Promise<void> {
  if (!device.signOutPending.get()) return;
  await import("./sign-out").then(({ endSession }) => endSession()).catch(() => undefined);
}

/** Repeats a sign-out that has not reached the server: now, and when the network is back. Returns a function that ends it. */
export function repeatSignOut(): () => void {
  const repeat = () => void finishSignOut();
  repeat();
  window.addEventListener("online", repeat);
  return () => window.removeEventListener("online", repeat);
}
