import type { ReactNode } from "react";
import { Switch } from "@/ui/Switch";
import { useSaveSettings } from "./mutations";
import type { Settings } from "./queries";

interface NotificationSwitchesProps {
  notifications: Settings["notifications"];
  /** The address for email; empty if the profile has none. */
  email: string;
}

/** The channels of notifications. Each change is stored at once. */
export function NotificationSwitches({ notifications, email }: NotificationSwitchesProps): ReactNode {
  const saveSettings = useSaveSettings();
  const { push, sms, email: byEmail } = notifications;
  return (
    <div className="grid gap-2">
      <Switch
        label="Push"
        detail="On your phone's lock screen"
        on={push}
        onChange={(on) => saveSettings.mutate({ notifications: { push: on } })}
      />
      <Switch
        label="Text messages"
        detail="Message and data rates may apply"
        on={sms}
        onChange={(on) => saveSettings.mutate({ notifications: { sms: on } })}
      />
      <Switch
        label="Email"
        detail={email ? `To ${email}` : "Add your email address to your profile first"}
        on={byEmail}
        onChange={(on) => saveSettings.mutate({ notifications: { email: on } })}
      />
      {!push && !sms && !byEmail && (
        <p role="status" className="t-small text-ink-2">
          All notifications are off. You still find them in your inbox.
        </p>
      )}
    </div>
  );
}
