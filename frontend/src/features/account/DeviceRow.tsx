import type { ReactNode } from "react";
import { deviceZone, formatDayInSentence } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { Button } from "@/ui/Button";
import { Tag } from "@/ui/Tag";
import { useEndSession, useForgetDevice } from "./mutations";
import type { KnownDevice, SignedInDevice } from "./queries";

/** A device that the consumer is signed in on. */
export function SignedInDeviceRow({ device }: { device: SignedInDevice }): ReactNode {
  const endSession = useEndSession();
  const lastUse = useDay(device.lastSeenAt);
  const name = device.deviceName || "Unknown device";
  return (
    <Row name={name} detail={device.isCurrent ? <Tag>This device</Tag> : `Last used ${lastUse}`}>
      {!device.isCurrent && (
        <Button
          variant="soft"
          busy={endSession.isPending}
          aria-label={`Sign out ${name}`}
          onClick={() => endSession.mutate(device.sessionId)}
        >
          Sign out
        </Button>
      )}
    </Row>
  );
}

/** A device that the consumer is not signed in on anymore. */
export function KnownDeviceRow({ device }: { device: KnownDevice }): ReactNode {
  const forgetDevice = useForgetDevice();
  const lastSignIn = useDay(device.lastSignedInAt);
  const name = device.name || "Unknown device";
  return (
    <Row name={name} detail={`Signed in ${lastSignIn}`}>
      <Button
        variant="soft"
        busy={forgetDevice.isPending}
        aria-label={`Forget ${name}`}
        onClick={() => forgetDevice.mutate(device.deviceId)}
      >
        Forget
      </Button>
    </Row>
  );
}

function useDay(instant: string): string {
  return formatDayInSentence(instant, deviceZone(), useNow(60_000));
}

interface RowProps {
  name: string;
  detail: ReactNode;
  children: ReactNode;
}

function Row({ name, detail, children }: RowProps): ReactNode {
  return (
    <li className="flex min-h-16 items-center gap-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="t-strong truncate">{name}</p>
        <div className="t-small mt-0.5 text-ink-2">{detail}</div>
      </div>
      {children}
    </li>
  );
}
