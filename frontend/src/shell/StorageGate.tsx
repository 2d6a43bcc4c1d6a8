import { type ReactNode, useState } from "react";
import { Button } from "@/ui/Button";

/** Blocks the app when the browser forbids local storage: carts and keys of payments could not be kept. */
export function StorageGate({ children }: { children: ReactNode }): ReactNode {
  const [usable] = useState(storageWorks);
  if (usable) return children;
  return (
    <main className="mx-auto grid min-h-dvh max-w-page content-center justify-items-center gap-6 px-gutter text-center">
      <h1 className="t-title">Please enable local storage to use the app!</h1>
      <Button onClick={() => location.reload()}>Reload</Button>
    </main>
  );
}

function storageWorks(): boolean {
  const probe = "order-ahead.probe";
  try {
    localStorage.setItem(probe, probe);
    const works = localStorage.getItem(probe) === probe;
    localStorage.removeItem(probe);
    return works;
  } catch {
    return false;
  }
}
