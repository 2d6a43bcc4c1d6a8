import { useEffect, useState } from "react";

/** The time now, moving on every so many milliseconds: for "in 9 minutes" and the level of a cup. */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
