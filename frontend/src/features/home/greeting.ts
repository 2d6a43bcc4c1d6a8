/** Formats a greeting by the device clock: "Good morning, Maya". */
export function formatGreeting(now: Date, firstName = ""): string {
  const hour = now.getHours();
  const part = hour >= 4 && hour < 12 ? "morning" : hour >= 12 && hour < 17 ? "afternoon" : "evening";
  return firstName ? `Good ${part}, ${firstName}` : `Good ${part}`;
}
