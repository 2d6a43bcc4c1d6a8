// Finds the changes in migrations that the previous release does not tolerate. While a release is rolled out, and after it is rolled
// back, programs of the previous release run with the new schema. So a migration only adds: nullable columns or columns with a default,
// tables, indexes that are not unique. What a release no longer uses is removed by the next one, and then listed with its reason in
// migration-contractions.txt. A column or table with a new meaning gets a new name instead.

import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const IDENTIFIER = String.raw`"?([\w.]+)"?`;
const CREATED_TABLE = new RegExp(`^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?${IDENTIFIER}`, "i");
const ALTERED_TABLE = new RegExp(`^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?${IDENTIFIER} (.*)$`, "i");
const UNIQUE_INDEX = new RegExp(`^CREATE UNIQUE INDEX .*? ON (?:ONLY )?${IDENTIFIER}`, "i");
const DROPPED = /^DROP (TABLE|VIEW|MATERIALIZED VIEW|SCHEMA|TYPE|FUNCTION|SEQUENCE|EXTENSION) (?:IF EXISTS )?(.*)$/i;
const NAMED_CONSTRAINT = new RegExp(`^(?:ADD|DROP) CONSTRAINT (?:IF EXISTS )?${IDENTIFIER}`, "i");

/** Returns the statements of a script without comments and contents of strings, each with single spaces. */
export function statements(sql) {
  const code = sql
    .replace(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/--[^\n]*/g, "")
    .replace(/\/\*.*?\*\//gs, "");
  return code
    .split(";")
    .map((statement) => statement.replace(/\s+/g, " ").trim())
    .filter(Boolean);
}

/** Splits at commas outside of parentheses. */
function splitActions(text) {
  const actions = [""];
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (character === "," && depth === 0) actions.push("");
    else actions[actions.length - 1] += character;
  }
  return actions.map((action) => action.trim());
}

/** Returns why programs of the previous release may fail after an action of ALTER TABLE, or undefined. */
function contraction(action, replaced) {
  if (/^RENAME /i.test(action)) return action;
  if (/^DROP (?!CONSTRAINT )/i.test(action)) return action;
  if (/^ALTER (COLUMN )?\S+ (SET DATA )?TYPE /i.test(action)) return action;
  if (/^ALTER (COLUMN )?\S+ (SET NOT NULL|DROP DEFAULT)$/i.test(action)) return action;
  if (/^ADD CONSTRAINT /i.test(action)) {
    return replaced.has(NAMED_CONSTRAINT.exec(action)?.[1]) ? undefined : action.split(" ").slice(0, 4).join(" ");
  }
  if (/^ADD (CHECK|UNIQUE|PRIMARY|FOREIGN|EXCLUDE)\b/i.test(action)) return action;
  const isRequired = /^ADD /i.test(action) && /\bNOT NULL\b/i.test(action) && !/\b(DEFAULT|GENERATED)\b/i.test(action);
  return isRequired ? `${action.split(" (")[0]} has no default` : undefined;
}

/**
 * Returns the contractions in the migrations of one database, which are applied in order.
 * @param {{name: string, sql: string}[]} migrations
 */
export function contractions(migrations) {
  const found = [];
  const existing = new Set();
  for (const { name, sql } of migrations) {
    const created = [];
    // A constraint that is dropped and added under its name is a changed one, which may only be wider.
    const replaced = new Set();
    for (const statement of statements(sql)) {
      const table = CREATED_TABLE.exec(statement);
      if (table) created.push(table[1]);
      const dropped = DROPPED.exec(statement);
      if (dropped) found.push(`${name}: DROP ${dropped[1].toUpperCase()} ${dropped[2]}`);
      const unique = UNIQUE_INDEX.exec(statement);
      if (unique && existing.has(unique[1])) found.push(`${name}: ${unique[1]} UNIQUE INDEX`);
      const altered = ALTERED_TABLE.exec(statement);
      if (!altered || !existing.has(altered[1])) continue;
      for (const action of splitActions(altered[2])) {
        if (/^DROP CONSTRAINT /i.test(action)) replaced.add(NAMED_CONSTRAINT.exec(action)[1]);
        const change = contraction(action, replaced);
        if (change) found.push(`${name}: ${altered[1]} ${change}`);
        const renamed = /^RENAME TO (\w+)$/i.exec(action);
        if (renamed) existing.add(renamed[1]);
      }
    }
    for (const table of created) existing.add(table);
  }
  return found;
}

function migrationsOf(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  return names.sort().map((name) => ({
    name: `${basename(dirname(folder))}/${name}`,
    sql: readFileSync(join(folder, name), "utf8"),
  }));
}

function main() {
  const here = import.meta.dirname;
  const services = join(here, "../../../services");
  const folders = readdirSync(services, { recursive: true })
    .filter((name) => basename(name) === "migrations")
    .map((name) => join(services, name));
  const found = folders.sort().flatMap((folder) => contractions(migrationsOf(folder)));
  const lines = readFileSync(join(here, "migration-contractions.txt"), "utf8").split("\n");
  const listed = lines.filter((line) => line && !line.startsWith("#"));
  const problems = [
    ...found.filter((line) => !listed.includes(line)).map((line) => `not tolerated by the previous release: ${line}`),
    ...listed.filter((line) => !found.includes(line)).map((line) => `listed in migration-contractions.txt, but not found: ${line}`),
  ];
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length ? 1 : 0;
}

if (import.meta.filename === process.argv[1]) main();
