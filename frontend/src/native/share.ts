import { requestFromShell } from "./bridge";
import type { SentDetail } from "./catalog";

/** The consumer may take long to choose an app. */
const TIMEOUT_MS = 5 * 60_000;

/** Opens the share sheet of the native shell. Resolves to whether the consumer shared. */
export async function shareNatively(content: SentDetail<"share">): Promise<boolean> {
  const reply = await requestFromShell("share", content, TIMEOUT_MS);
  return reply?.shared ?? false;
}
