/**
 * Returns about how many milliseconds the clock of the device is ahead of the server's, from the `date` of a response that just arrived;
 * 0 if it has none. It has whole seconds, rounded down.
 */
export const clockLead = (date: string | null): number =>
  date === null ? 0 : Date.now() - Date.parse(date) - 1_000;
