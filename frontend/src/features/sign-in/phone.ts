/** US phone numbers. The server normalizes and validates them again. */

/** Returns up to ten digits, without the country code. */
export function toPhoneDigits(typed: string): string {
  const digits = typed.replace(/\D/g, "");
  return (digits.length > 10 && digits.startsWith("1") ? digits.slice(1) : digits).slice(0, 10);
}

/** Formats a complete or partial number: "(213) 555 0142". */
export function formatPhone(digits: string): string {
  const [area, office, line] = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)];
  if (office === "") return area;
  return `(${area}) ${office}${line && ` ${line}`}`;
}

export function toE164(digits: string): string {
  return `+1${digits}`;
}
