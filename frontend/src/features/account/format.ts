const MONTH = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric" });

/** "November 2026", in the time zone of the device. */
export const formatMemberSince = (instant: string): string => MONTH.format(new Date(instant));
