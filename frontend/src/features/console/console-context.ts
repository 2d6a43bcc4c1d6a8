import { createContext, use } from "react";
import type { StaffSession } from "./queries";

/** What all pages of the console share. */
export interface Console {
  session: StaffSession;
  /** Whether the queue arrives by the live stream. */
  isLive: boolean;
  now: Date;
}

export const ConsoleContext = createContext<Console | undefined>(undefined);

export function useConsole(): Console {
  const value = use(ConsoleContext);
  if (!value) throw new Error("useConsole needs the console around it");
  return value;
}
