/** The time that a PIN is still valid. */

/** Returns the whole seconds until the instant, rounded up, at least 0. */
export const secondsUntil = (instant: number, now: Date): number =>
  Math.max(0, Math.ceil((instant - now.getTime()) / 1_000));

/** "1:42". */
export const formatCountdown = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/**
 * Returns what a screen reader announces at this second: the PIN when it appears, then the last minute, the last ten seconds
 * and the end. The text stays the same in between, so that the countdown is not read every second.
 */
export function announcement(pin: string, seconds: number): string {
  if (seconds === 0) return "This PIN has expired.";
  if (seconds <= 10) return "10 seconds left.";
  if (seconds <= 60) return "1 minute left.";
  return `Your PIN is ${spell(pin)}. It's valid for 2 minutes.`;
}

/** "4 7 0 2": read digit by digit. */
export const spell = (pin: string): string => [...pin].join(" ");
