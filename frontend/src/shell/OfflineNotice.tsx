import WifiOff from "lucide-react/icons/wifi-off";
import { type ReactNode, useSyncExternalStore } from "react";

/** A strip at the top while the device has no network: what is on screen may be old. */
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

/** Whether the device has a network at all. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener("online", changed);
      window.addEventListener("offline", changed);
      return () => {
        window.removeEventListener("online", changed);
        window.removeEventListener("offline", changed);
      };
    },
    () => navigator.onLine,
  );
}
