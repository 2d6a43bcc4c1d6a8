import X from "lucide-react/icons/x";
import { type ReactNode, useLayoutEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { device } from "@/state/device";
import { buttonVariants } from "@/ui/button-variants";
import { IconButton } from "@/ui/IconButton";
import { readAppConfig } from "./app-config";
import "./install-banner.css";

export interface ShownBanner {
  /** Hides the banner or shows it again. Does nothing after it was dismissed. */
  setHidden: (isHidden: boolean) => void;
  close: () => void;
}

/** Shows the banner above the bottom bar until it is dismissed. It has a root of its own, so that it survives route changes. */
export function showInstallBanner(journeyStep: string): ShownBanner {
  const container = document.createElement("div");
  document.body.append(container);
  const root = createRoot(container);
  const close = () => {
    root.unmount();
    container.remove();
  };
  const setHidden = (isHidden: boolean) => {
    if (container.isConnected)
      root.render(!isHidden && <InstallBanner journeyStep={journeyStep} onClose={close} />);
  };
  setHidden(false);
  return { setHidden, close };
}

interface InstallBannerProps {
  journeyStep: string;
  onClose: () => void;
}

/** Offers the native app (specification section 4). The button shows on mobile web only, which has the address of the app store. */
export function InstallBanner({ journeyStep, onClose }: InstallBannerProps): ReactNode {
  const [isMobileWeb] = useState(() => device.sourceDevice.get() === "mobile-web");
  const { appStoreUrl } = readAppConfig();
  useMarkedPage();
  return (
    <aside
      aria-label="Get the app"
      className="install-banner fixed inset-x-0 z-30 mx-auto flex w-[calc(100%-24px)] max-w-page items-center gap-3 rounded-card bg-inverse py-2.5 pr-1.5 pl-4 text-inverse-ink shadow-float large-text:flex-wrap"
    >
      <p className="t-small min-w-0 flex-1">
        {journeyStep === "app" ? (
          <>Earn 2x the points on every purchase when you order on the app.</>
        ) : (
          <>Enjoy $3 off when you order through the app.</>
        )}
      </p>
      {isMobileWeb && appStoreUrl && (
        <a
          href={appStoreUrl}
          className={`${buttonVariants("soft")} shrink-0 !bg-inverse-accent !text-inverse-on-accent`}
        >
          Install
        </a>
      )}
      <div className="shrink-0 [&_button]:text-inverse-ink">
        <IconButton icon={X} label="Dismiss" onClick={onClose} />
      </div>
    </aside>
  );
}

/**
 * Marks the page while the banner shows, with `low` on a screen without a bottom bar. The styles could find both with `:has`, which
 * the browser would then evaluate again whenever anything on the page changes.
 */
function useMarkedPage(): void {
  useLayoutEffect(() => {
    const page = document.documentElement;
    const mark = () => {
      const hasBar = document.querySelector('#root footer, #root nav[aria-label="Main"]') !== null;
      page.dataset.installBanner = hasBar ? "" : "low";
    };
    mark();
    const observer = new MutationObserver(mark);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      delete page.dataset.installBanner;
    };
  }, []);
}
