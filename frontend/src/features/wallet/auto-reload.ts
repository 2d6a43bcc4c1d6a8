/** Texts and times of automatic reloads. */
import { formatMoney } from "@/lib/money";
import { deviceZone, formatDayInSentence, formatTimeOfDay } from "@/lib/time";
import type { AutoReload } from "./queries";

const PAUSE_DAYS = 7;

/** Returns the end of a pause that starts now. */
export const pauseEnd = (now: Date): string =>
  new Date(now.getTime() + PAUSE_DAYS * 86_400_000).toISOString();

const isFuture = (instant: string | null, now: Date): instant is string =>
  instant !== null && Date.parse(instant) > now.getTime();

export const isPaused = ({ enabled, pausedUntil }: AutoReload, now: Date): boolean =>
  enabled && isFuture(pausedUntil, now);

/** "Auto-reload adds $20 when under $5". */
export function formatRule({ enabled, amount, threshold }: AutoReload): string {
  if (!enabled) return "Auto-reload is off";
  return `Auto-reload adds ${formatMoney(amount, { bare: true })} when under ${formatMoney(threshold, { bare: true })}`;
}

/** "On", "Paused" or "Set up". */
export function formatRuleState(rule: AutoReload, now: Date): string {
  if (!rule.enabled) return "Set up";
  return isPaused(rule, now) ? "Paused" : "On";
}

/** Explains why no reload happens now; undefined if reloads happen. */
export function formatInterruption(rule: AutoReload, now: Date): string | undefined {
  if (!rule.enabled) return undefined;
  if (isFuture(rule.pausedUntil, now)) {
    return `Paused until ${formatEnd(rule.pausedUntil, now)}.`;
  }
  if (isFuture(rule.frozenUntil, now)) {
    return `Your phone or a payment method changed, so auto-reload is paused until ${formatEnd(rule.frozenUntil, now)} to keep your money safe.`;
  }
  return undefined;
}

/** "tomorrow at 10:00 AM", "Mon, Nov 23 at 10:00 AM". */
function formatEnd(instant: string, now: Date): string {
  const zone = deviceZone();
  return `${formatDayInSentence(instant, zone, now)} at ${formatTimeOfDay(instant, zone)}`;
}
