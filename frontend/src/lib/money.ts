/**
 * Money as in the API: `currencyAmount` in minor units, `currencyFraction` of which are one major unit. Amounts are integers;
 * decimals appear only in formatted text.
 */
export interface Money {
  currencyAmount: number;
  currencyFraction: number;
  currency: string;
}

/** Converts plain US cents. */
export function cents(amount: number): Money {
  return { currencyAmount: amount, currencyFraction: 100, currency: "usd" };
}

/** Formats as "$12.40". With `bare`, whole amounts have no decimals: "$3". */
export function formatMoney(money: Money, { bare = false }: { bare?: boolean } = {}): string {
  const isWhole = bare && money.currencyAmount % money.currencyFraction === 0;
  const isDollars = money.currency.toUpperCase() === "USD" && money.currencyFraction === 100;
  return isDollars
    ? formatDollars(money, isWhole)
    : formatter(money.currency, isWhole).format(decimal(money));
}

/** Formats as Intl does. The first use of Intl is slow, and delays the first prices of a menu. */
function formatDollars(money: Money, isWhole: boolean): string {
  const [units = "", fraction = ""] = decimal(money).replace("-", "").split(".");
  const sign = money.currencyAmount < 0 ? "-" : "";
  const grouped = units.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${sign}$${grouped}${isWhole ? "" : `.${fraction}`}`;
}

/** Adds amounts of one currency; 0 USD for an empty list. Throws a RangeError for mixed currencies. */
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

/** Returns a percentage of an amount in cents, rounded half up. */
export function calculatePercentage(amount: number, percent: number): number {
  return Math.floor((amount * percent + 50) / 100);
}

/** Returns the tax on an amount in cents, rounded half up as by the server. 95000 parts per million are 9.5 percent. */
export function calculateTax(amount: number, ratePpm: number): number {
  return Math.floor((amount * ratePpm + 500_000) / 1_000_000);
}

/** Parses typed dollars ("12", "12.5", "$1,200.50") to cents; null if it is not an amount. */
export function parseCents(text: string): number | null {
  const match = /^\$?\s*(\d{1,6}|\d{1,3}(?:,\d{3})+)?(?:\.(\d{0,2}))?$/.exec(text.trim());
  if (!match || (match[1] === undefined && !match[2])) return null;
  const dollars = Number((match[1] ?? "0").replaceAll(",", ""));
  return dollars * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}

/** Writes the exact decimal: Intl formats decimal strings without converting them to a float. */
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
