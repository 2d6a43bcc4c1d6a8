import { Link } from "@tanstack/react-router";
import LogOut from "lucide-react/icons/log-out";
import Pause from "lucide-react/icons/pause";
import Play from "lucide-react/icons/play";
import SmartphoneNfc from "lucide-react/icons/smartphone-nfc";
import Volume2 from "lucide-react/icons/volume-2";
import VolumeX from "lucide-react/icons/volume-x";
import type { ReactNode } from "react";
import { formatTime } from "@/lib/time";
import { Button } from "@/ui/Button";
import { IconButton } from "@/ui/IconButton";
import { Logo } from "@/ui/Logo";
import { useSetPause, useSignOutStaff } from "./mutations";
import type { StaffSession } from "./queries";

const PAGES = [
  { to: "/store-console", label: "Orders" },
  { to: "/store-console/sold-out", label: "Sold out" },
  { to: "/store-console/hours", label: "Hours" },
  { to: "/store-console/today", label: "Today" },
] as const;

interface ConsoleHeaderProps {
  session: StaffSession;
  orderCount: number;
  isConnected: boolean;
  onPause: () => void;
  onPinPayment: () => void;
  sound: { isOn: boolean; toggle: () => void };
  now: Date;
}

export function ConsoleHeader({
  session,
  orderCount,
  isConnected,
  onPause,
  onPinPayment,
  sound,
  now,
}: ConsoleHeaderProps): ReactNode {
  const setPause = useSetPause(session.storeId);
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
      <nav aria-label="Console" className="console-nav">
        {PAGES.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: true }}
            activeProps={{ className: "console-tab-current" }}
            className="console-tab t-strong"
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className="console-actions">
        <Button
          variant={paused ? "solid" : "line"}
          busy={setPause.isPending}
          onClick={() => (paused ? setPause.mutate(null) : onPause())}
        >
          {paused ? <Play aria-hidden="true" size={20} /> : <Pause aria-hidden="true" size={20} />}
          {paused ? "Resume" : "Pause"}
        </Button>
        <IconButton icon={SmartphoneNfc} label="JoePass payment" onClick={onPinPayment} />
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
