import { write } from "@/api/client";
import { report } from "@/shell/error-reports";
import { listenToShell, sendToShell } from "./bridge";

/**
 * Registers the native app for push notifications until the consumer signs out. The shell sends its token after the consumer
 * accepted, and after each start.
 */
export function receivePushToken(): () => void {
  return listenToShell("push-notification-request", ({ token }) => {
    if (token) write("/user/save-push-subscription", { nativeToken: token }).catch(report);
  });
}

/** Lets the shell ask for permission. Its reply registers the app; `onBlocked` is called if the device does not allow notifications. */
export function requestPush(onBlocked: () => void): void {
  const stop = listenToShell("push-notification-request", ({ token }) => {
    stop();
    if (!token) onBlocked();
  });
  sendToShell("push-notification-request", {});
}
