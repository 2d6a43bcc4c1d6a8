import type { ReactNode } from "react";
import { isInNativeShell } from "@/native/shell";
import { modals } from "@/shell/modals";
import type { Profile } from "@/shell/queries";
import { device } from "@/state/device";
import { EmailAddress } from "@/ui/EmailAddress";
import { Switch } from "@/ui/Switch";
import { toast } from "@/ui/toast";
import { hasBrowserPush, subscribeBrowser } from "./browser-push";
import { EmailVerification } from "./EmailVerification";
import { useSaveSettings } from "./mutations";
import type { Settings } from "./queries";

interface NotificationSwitchesProps {
  notifications: Settings["notifications"];
  profile: Pick<Profile, "firstName" | "lastName" | "email" | "emailVerified">;
  /** Key of the server for push notifications; empty if it sends none. */
  pushKey: string;
}

/** The channels of notifications. Each change is stored at once. */
export function NotificationSwitches({
  notifications,
  profile,
  pushKey,
}: NotificationSwitchesProps): ReactNode {
  const saveSettings = useSaveSettings();
  const { firstName, lastName, email, emailVerified } = profile;
  const { push, sms } = notifications;
  const byEmail = notifications.email && email !== "";
  const setPush = (on: boolean) => {
    saveSettings.mutate({ notifications: { push: on } });
    if (on) void (isInNativeShell() ? askShell() : askBrowser(pushKey));
  };
  const setEmail = (on: boolean) => {
    if (on !== notifications.email) saveSettings.mutate({ notifications: { email: on } });
    if (email === "") {
      void modals.load("profile", () => import("./ProfileSheet"), { firstName, lastName, email });
    }
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <Switch label="Push" detail={describePush(pushKey)} on={push} onChange={setPush} />
      <Switch
        label="Text messages"
        detail="Message and data rates may apply"
        on={sms}
        onChange={(on) => saveSettings.mutate({ notifications: { sms: on } })}
      />
      <Switch
        label="Email"
        detail={
          email ? (
            <>
              To <EmailAddress>{email}</EmailAddress>
            </>
          ) : (
            "Tap to add your email address"
          )
        }
        on={byEmail}
        onChange={setEmail}
      />
      {email && !emailVerified && <EmailVerification key={email} />}
      {!push && !sms && !byEmail && (
        <p role="status" className="t-small text-ink-2">
          All notifications are off. You'll still find the messages in your inbox.
        </p>
      )}
    </div>
  );
}

/** Names where push notifications show, or why this browser cannot get them. */
function describePush(pushKey: string): string {
  if (isInNativeShell() || !pushKey || hasBrowserPush()) return "On your phone's lock screen";
  return device.sourceDevice.get() === "mobile-web"
    ? "Add this app to your home screen to get notifications on this phone"
    : "This browser can't show notifications";
}

/** Registers the native app. Without permission the setting stays on, for other devices. */
async function askShell(): Promise<void> {
  const { requestPush } = await import("@/native/push-token");
  device.pushRequestAccepted.set(true);
  requestPush(() => toast("Your phone blocks notifications. Allow them in its settings."));
}

/** Registers this browser. If that fails, the setting stays on, for other devices. */
async function askBrowser(pushKey: string): Promise<void> {
  if (!pushKey || !hasBrowserPush()) return;
  try {
    const isAllowed = await subscribeBrowser(pushKey);
    if (!isAllowed) toast("Your browser blocks notifications. Allow them in its settings.");
  } catch {
    toast("We couldn't turn on notifications on this device. Please try again.");
  }
}
