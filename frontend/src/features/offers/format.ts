import { cents, formatMoney } from "@/lib/money";
import { deviceZone, formatDayInSentence, formatTimeOfDay } from "@/lib/time";
import type { Challenge, Offer } from "./queries";

/** "50 points" */
export const formatReward = ({ points }: Pick<Challenge, "points">): string =>
  points === 1 ? "1 point" : `${points} points`;

/** "2 of 5 orders", "$12 of $50" */
export function formatProgress({ goal, progress, target }: Challenge): string {
  if (goal === "spend") {
    const amount = (value: number) => formatMoney(cents(value), { bare: true });
    return `${amount(progress)} of ${amount(target)}`;
  }
  const unit = goal === "orders" ? "order" : "store";
  return `${progress} of ${target} ${target === 1 ? unit : `${unit}s`}`;
}

/** "Ends today, 11:59 PM" or "Ends Mon, Nov 30" */
export function formatEnd(endsAt: string, now: Date): string {
  const day = formatDayInSentence(endsAt, deviceZone(), now);
  return day === "today" ? `Ends today, ${formatTimeOfDay(endsAt, deviceZone())}` : `Ends ${day}`;
}

/** "Claimed today" or "Claimed Mon, Nov 16" */
export function formatClaimed({ claimedAt }: Challenge, now: Date): string {
  return claimedAt ? `Claimed ${formatDayInSentence(claimedAt, deviceZone(), now)}` : "Claimed";
}

const WEEKDAYS = ["Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays"];

/** "Today only", "Mondays and Fridays" or "Every day". */
export function formatDays({ weekdays, isActive }: Offer): string {
  if (weekdays.length === 0 || weekdays.length === 7) return "Every day";
  if (weekdays.length === 1 && isActive) return "Today only";
  return new Intl.ListFormat("en-US").format(weekdays.flatMap((day) => WEEKDAYS[day - 1] ?? []));
}

/** Why the offer cannot be used now; undefined if it can. */
export function formatObstacle(offer: Offer, isInApp: boolean): string | undefined {
  if (offer.isUsed) return "You've used this offer.";
  if (!offer.isActive) return "This offer isn't available today.";
  if (offer.isAppOnly && !isInApp) return "This offer works in the app only.";
  return undefined;
}
