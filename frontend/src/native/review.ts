import { device } from "@/state/device";
import { requestFromShell } from "./bridge";

/** The rating from which consumers are asked for a review. */
const MIN_RATING = 4;
const TIMEOUT_MS = 60_000;

/**
 * Asks for a review in the app store after a good rating, once per consumer. If the store does not show its dialog (it limits how
 * often), the next good rating requests one again.
 */
export async function requestReview(rating: number): Promise<void> {
  if (rating < MIN_RATING || device.reviewRequested.get()) return;
  const reply = await requestFromShell("review-request", {}, TIMEOUT_MS);
  if (reply?.shown) device.reviewRequested.set(true);
}
