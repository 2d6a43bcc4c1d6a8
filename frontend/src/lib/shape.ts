/**
 * The shapes of what comes from outside the app's own code and the contract: local storage and the address. A few
 * lines instead of a schema library, because every screen's first script needs them; forms use zod, which loads with
 * the form.
 */

/** Reads a value of unknown origin; throws {@link Misfit} where it is none of this shape. */
export type Shape<Value> = (raw: unknown) => Value;

/** What a shape reads. */
export type Shaped<Of> = Of extends Shape<infer Value> ? Value : never;

/** A value is not of the shape that was asked for. */
export class Misfit extends Error {
  override readonly name = "Misfit";
}

function only<Value>(what: string, fits: (raw: unknown) => raw is Value): Shape<Value> {
  return (raw) => {
    if (fits(raw)) return raw;
    throw new Misfit(`not ${what}`);
  };
}

export const text = only("a text", (raw) => typeof raw === "string");
export const truth = only("true or false", (raw) => typeof raw === "boolean");

/** A whole number of at least and at most so much. */
export const whole = (least = -Number.MAX_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER): Shape<number> =>
  only(
    `a whole number from ${least} to ${most}`,
    (raw): raw is number => Number.isSafeInteger(raw) && (raw as number) >= least && (raw as number) <= most,
  );

/** One of these words, or of whatever else can be compared. */
export const oneOf = <const Word extends string | boolean>(...words: readonly Word[]): Shape<Word> =>
  only(`one of ${words.join()}`, (raw): raw is Word => words.includes(raw as Word));

export const nullable =
  <Value>(shape: Shape<Value>): Shape<Value | null> =>
  (raw) =>
    raw === null ? null : shape(raw);

/** The shape's value, or the usual one where nothing is said. */
export const usually =
  <Value>(shape: Shape<Value>, usual: Value): Shape<Value> =>
  (raw) =>
    raw === undefined ? usual : shape(raw);

/** The shape's value, or nothing where there is none that fits: for an address, which anybody may have typed. */
export const ifFits =
  <Value>(shape: Shape<Value>): Shape<Value | undefined> =>
  (raw) => {
    try {
      return shape(raw);
    } catch {
      return undefined;
    }
  };

const list = only("a list", (raw) => Array.isArray(raw));
const fields = only(
  "an object",
  (raw): raw is Readonly<Record<string, unknown>> =>
    typeof raw === "object" && raw !== null && !Array.isArray(raw),
);

export const listOf =
  <Value>(shape: Shape<Value>): Shape<Value[]> =>
  (raw) =>
    list(raw).map((entry) => shape(entry));

/** An object with any keys, all of one shape. */
export const recordOf =
  <Value>(shape: Shape<Value>): Shape<Record<string, Value>> =>
  (raw) =>
    Object.fromEntries(Object.entries(fields(raw)).map(([key, value]) => [key, shape(value)]));

/** Anything at all, to be read by somebody else. */
export const anything: Shape<unknown> = (raw) => raw;

type Fields<Shapes> = { [Key in keyof Shapes]: Shaped<Shapes[Key]> };
/** Keys that may be missing are optional, so that a link need not name them. */
type Optional<Of> = { [Key in keyof Of as undefined extends Of[Key] ? never : Key]: Of[Key] } & {
  [Key in keyof Of as undefined extends Of[Key] ? Key : never]?: Of[Key];
};
type Plain<Of> = { [Key in keyof Of]: Of[Key] };

/** An object with these keys; what else it has is left out. */
export const object =
  <const Shapes extends Readonly<Record<string, Shape<unknown>>>>(
    shapes: Shapes,
  ): Shape<Plain<Optional<Fields<Shapes>>>> =>
  (raw) => {
    const said = fields(raw);
    const read = Object.entries(shapes).map(([key, shape]) => [key, shape(said[key])] as const);
    // What was said and did not fit is said to be nothing: the router puts this over what the address says.
    const known = read.filter(([key, value]) => value !== undefined || key in said);
    return Object.fromEntries(known) as Plain<Optional<Fields<Shapes>>>;
  };
