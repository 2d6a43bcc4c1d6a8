/**
 * Money as it is on the wire: `currencyAmount` minor units, `currencyFraction` of which make one major unit.
 * Amounts are whole numbers everywhere; a decimal point appears only in text.
 */
export interface Money {
  currencyAmount: number;
  currencyFraction: number;
  currency: string;
}

/** Dollars and cents from cents, for amounts that arrive or are kept as plain cents. */
export function cents(amount: number): Money {
  return { currencyAmount: amount, currencyFraction: 100, currency: "usd" };
}

/** "$12.40". With `bare`, whole amounts lose their zeros: "$3". */
export function formatMoney(money: Money, { bare = false }: { bare?: boolean } = {}): string {
  const whole = money.currencyAmount % money.currencyFraction === 0;
  return formatter(money.currency, bare && whole).format(decimal(money));
}

/** The sum of amounts in one currency; 0 USD for none. */
export function sum(amounts: readonly Money[]): Money {
  const [first = cents(0)] = amounts;
  let currencyAmount = 0;
  for (const money of amounts) {
    if (money.currency !== first.currency || money.currencyFraction !== first.currencyFraction) {
      throw new RangeError(`cannot add ${money.currency} to ${first.currency}`);
    }
    currencyAmount += money.currencyAmount;
  }
  return { ...first, currencyAmount };
}

/** A percentage of an amount in whole cents, half a cent up; for showing what a tip would be. */
export function percentOf(amount: number, percent: number): number {
  return Math.floor((amount * percent + 50) / 100);
}

/** Cents from what a person typed ("12", "12.5", "$1,200.50"); null when it is no amount of dollars. */
export function parseCents(text: string): number | null {
  const match = /^\$?\s*(\d{1,6}|\d{1,3}(?:,\d{3})+)?(?:\.(\d{0,2}))?$/.exec(text.trim());
  if (!match || (match[1] === undefined && !match[2])) return null;
  const dollars = Number((match[1] ?? "0").replaceAll(",", ""));
  return dollars * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}

/** The exact decimal text of an amount: Intl formats decimal strings without going through a float. */
function decimal({ currencyAmount, currencyFraction }: Money): `${number}` {
  const digits = String(currencyFraction).length - 1;
  const sign = currencyAmount < 0 ? "-" : "";
  const units = String(Math.abs(currencyAmount)).padStart(digits + 1, "0");
  const text = digits === 0 ? units : `${units.slice(0, -digits)}.${units.slice(-digits)}`;
  return `${sign}${text}` as `${number}`;
}

const formatters = new Map<string, Intl.NumberFormat>();

function formatter(currency: string, whole: boolean): Intl.NumberFormat {
  const key = `${currency}${whole}`;
  let found = formatters.get(key);
  if (!found) {
    found = new Intl.NumberFormat("en-US", {
      style: "currency",
      currency: currency.toUpperCase(),
      maximumFractionDigits: 2,
      ...(whole ? { minimumFractionDigits: 0 } : {}),
    });
    formatters.set(key, found);
  }
  return found;
}
