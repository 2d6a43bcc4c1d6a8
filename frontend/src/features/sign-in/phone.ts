/** US numbers as they are typed and shown. The server normalises again and has the last word. */

/** At most ten digits; a country code in front of them is dropped. */
export function toPhoneDigits(typed: string): string {
  const digits = typed.replace(/\D/g, "");
  return (digits.length > 10 && digits.startsWith("1") ? digits.slice(1) : digits).slice(0, 10);
}

/** "(213) 555 0142", as far as it is typed. */
export function formatPhone(digits: string): string {
  const [area, office, line] = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)];
  if (office === "") return area;
  return `(${area}) ${office}${line && ` ${line}`}`;
}

/** E.164. */
export function toE164(digits: string): string {
  return `+1${digits}`;
}
