import { device } from "@/state/device";

/** Specification section 9: Monday, Wednesday, Friday. */
const DAYS: readonly number[] = [1, 3, 5];

/**
 * Sets the reward indicator on a reward day, once a day (specification section 4). On other days the indicator is
 * hidden. Days are those of the device.
 */
export function updateRewardIndicator(now = new Date()): void {
  const day = formatCalendarDay(now);
  if (device.rewardIndicator.get()?.day === day) return;
  device.rewardIndicator.set({ day, shows: DAYS.includes(now.getDay()) });
}

/** Hides the indicator for the rest of the day. */
export function hideRewardIndicator(): void {
  device.rewardIndicator.set((now) => (now?.shows ? { ...now, shows: false } : now));
}

/**
 * Shows the indicator as a dot on the My Joe tab, by an attribute of the page: the navigation is part of the first script, which has
 * no room for it. Returns a function that ends it.
 */
export function followRewardIndicator(): () => void {
  const page = document.documentElement;
  const update = () => page.toggleAttribute("data-reward-day", Boolean(device.rewardIndicator.get()?.shows));
  update();
  return device.rewardIndicator.subscribe(update);
}

/** "2026-11-23", the calendar day of the device. */
function formatCalendarDay(now: Date): string {
  const pad = (part: number) => String(part).padStart(2, "0");
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
}
