import type { Schedule } from "./queries";

/** The largest number that the store API accepts. */
export const MAX_BARISTAS = 50;

/** Returns how many baristas are on shift today. */
export const getBaristasToday = ({ today, shifts, defaultBaristas }: Schedule): number =>
  shifts.find(({ day }) => day === today)?.baristas ?? defaultBaristas;
