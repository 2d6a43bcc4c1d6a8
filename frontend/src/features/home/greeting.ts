/** "Good morning, Maya": by the clock of the device, with the first name where somebody is signed in. */
export function greeting(now: Date, firstName = ""): string {
  const hour = now.getHours();
  const part = hour >= 4 && hour < 12 ? "morning" : hour >= 12 && hour < 17 ? "afternoon" : "evening";
  return firstName ? `Good ${part}, ${firstName}` : `Good ${part}`;
}
