import { device } from "@/state/device";

/** The number of sign-ins in progress. */
let signIns = 0;

/** Repeats a sign-out that has not reached the server, unless a sign-in is in progress. Ignores errors. */
async function finishSignOut(): Promise<void> {
  if (signIns > 0 || !device.signOutPending.get()) return;
  await import("./sign-out").then(({ endSession }) => endSession()).catch(() => undefined);
}

/**
 * Starts a session with a call, after it has repeated a pending sign-out, whose response deletes the cookie of the session. No
 * sign-out is repeated during the call or after its success: it would end the new session.
 */
export async function replaceSession<Data>(signIn: () => Promise<Data>): Promise<Data> {
  await finishSignOut();
  signIns += 1;
  try {
    const data = await signIn();
    device.signOutPending.clear();
    return data;
  } finally {
    signIns -= 1;
  }
}

/** Repeats a sign-out that has not reached the server: now, and when the network is back. Returns a function that ends it. */
export function repeatSignOut(): () => void {
  const repeat = () => void finishSignOut();
  repeat();
  window.addEventListener("online", repeat);
  return () => window.removeEventListener("online", repeat);
}
