import Ban from "lucide-react/icons/ban";
import LogOut from "lucide-react/icons/log-out";
import Pause from "lucide-react/icons/pause";
import Play from "lucide-react/icons/play";
import Volume2 from "lucide-react/icons/volume-2";
import VolumeX from "lucide-react/icons/volume-x";
import type { ReactNode } from "react";
import { formatTime } from "@/lib/time";
import { Button } from "@/ui/Button";
import { IconButton } from "@/ui/IconButton";
import { Logo } from "@/ui/Logo";
import { useSetPaused, useSignOutStaff } from "./mutations";
import type { StaffSession } from "./queries";

interface ConsoleHeaderProps {
  session: StaffSession;
  orderCount: number;
  isConnected: boolean;
  onSoldOut: () => void;
  sound: { isOn: boolean; toggle: () => void };
  now: Date;
}

export function ConsoleHeader({
  session,
  orderCount,
  isConnected,
  onSoldOut,
  sound,
  now,
}: ConsoleHeaderProps): ReactNode {
  const setPaused = useSetPaused(session.storeId);
  const signOut = useSignOutStaff();
  const paused = session.openState === "paused";
  return (
    <header className="console-header">
      <Logo height={22} />
      <div className="console-store">
        <h1 tabIndex={-1} className="t-heading">
          {session.storeName}
        </h1>
        <p className="t-small flex items-center gap-2 text-ink-2">
          <span
            aria-hidden="true"
            className={`size-2 shrink-0 rounded-full ${isConnected ? "bg-crema" : "bg-danger"}`}
          />
          {isConnected ? "Live" : "Not connected"}, {formatCount(orderCount)}
        </p>
      </div>
      <div className="console-actions">
        <Button variant="line" onClick={onSoldOut}>
          <Ban aria-hidden="true" size={20} />
          Sold out
        </Button>
        <Button
          variant={paused ? "solid" : "line"}
          busy={setPaused.isPending}
          onClick={() => setPaused.mutate(!paused)}
        >
          {paused ? <Play aria-hidden="true" size={20} /> : <Pause aria-hidden="true" size={20} />}
          {paused ? "Resume" : "Pause"}
        </Button>
        <IconButton
          icon={sound.isOn ? Volume2 : VolumeX}
          label="Sound for new orders"
          aria-pressed={sound.isOn}
          onClick={sound.toggle}
        />
        <IconButton icon={LogOut} label="Sign out" onClick={() => signOut.mutate()} />
      </div>
      <time className="console-clock num">{formatTime(now.toISOString(), session.timeZone)}</time>
    </header>
  );
}

function formatCount(count: number): string {
  if (count === 0) return "no orders on the board";
  return count === 1 ? "1 order on the board" : `${count} orders on the board`;
}
