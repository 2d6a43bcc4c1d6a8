/**
 * Returns about how many milliseconds the clock of the device is ahead of the server's, from the `date` of a response that just arrived;
 * 0 if it has none. A date is rounded down to whole seconds, so one second is subtracted: the result is at most the real lead and the time
 * that the response took.
 */
export const clockLead = (date: string | null): number =>
  date === null ? 0 : Date.now() - Date.parse(date) - 1_000;
