import WifiOff from "lucide-react/icons/wifi-off";
import { type ReactNode, useSyncExternalStore } from "react";

/** A notice at the top of the screen while the device is offline. */
export function OfflineNotice(): ReactNode {
  const online = useOnline();
  return (
    <div role="status">
      {!online && (
        <p className="t-small mx-auto flex max-w-page items-center justify-center gap-2 bg-sunk px-gutter py-2 text-ink-2">
          <WifiOff aria-hidden="true" size={16} />
          You're offline. Showing your last update.
        </p>
      )}
    </div>
  );
}

export function useOnline(): boolean {
  return useSyncExternalStore(
    (notify) => {
      window.addEventListener("online", notify);
      window.addEventListener("offline", notify);
      return () => {
        window.removeEventListener("online", notify);
        window.removeEventListener("offline", notify);
      };
    },
    () => navigator.onLine,
  );
}
