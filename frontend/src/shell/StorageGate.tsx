import { type ReactNode, useEffect, useState } from "react";
import { Button } from "@/ui/Button";
import { removeFirstPaint } from "./first-paint";

/** Blocks the app if local storage is unusable, because carts and idempotency keys could not be stored. */
export function StorageGate({ children }: { children: ReactNode }): ReactNode {
  const [usable] = useState(isStorageUsable);
  useEffect(() => {
    if (!usable) removeFirstPaint();
  }, [usable]);
  if (usable) return children;
  return (
    <main className="mx-auto grid min-h-dvh max-w-page content-center justify-items-center gap-6 px-gutter text-center">
      <h1 className="t-title">Please enable local storage to use the app!</h1>
      <Button onClick={() => location.reload()}>Reload</Button>
    </main>
  );
}

function isStorageUsable(): boolean {
  const probe = "order-ahead.probe";
  try {
    localStorage.setItem(probe, probe);
    const usable = localStorage.getItem(probe) === probe;
    localStorage.removeItem(probe);
    return usable;
  } catch {
    return false;
  }
}
