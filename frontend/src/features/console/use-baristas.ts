import { useEffect, useState } from "react";
import { useSetBaristas } from "./mutations";

/** Taps within this period are sent together. */
const SEND_DELAY_MS = 500;

/**
 * Returns the number of baristas, of a day or by default, and a function that changes it: at once on the screen, and on the server
 * after a moment without another change, or when the screen closes.
 */
export function useBaristas(
  storeId: string,
  stored: number,
  day?: string,
): readonly [number, (baristas: number) => void] {
  const { mutateAsync } = useSetBaristas(storeId);
  const [draft, setDraft] = useState<number>();
  const [pending] = useState<{ timer?: number; send?: () => void }>({});
  const send = (baristas: number) => {
    delete pending.send;
    const finish = () => setDraft((now) => (now === baristas ? undefined : now));
    // The mutation shows its errors.
    void mutateAsync({ baristas, ...(day ? { day } : {}) }).then(finish, finish);
  };
  const change = (baristas: number) => {
    setDraft(baristas);
    window.clearTimeout(pending.timer);
    pending.send = () => send(baristas);
    pending.timer = window.setTimeout(() => pending.send?.(), SEND_DELAY_MS);
  };
  useEffect(
    () => () => {
      window.clearTimeout(pending.timer);
      pending.send?.();
    },
    [pending],
  );
  return [draft ?? stored, change];
}
