import assert from "node:assert/strict";
import test from "node:test";

import { contractions, statements } from "./migration-contractions.mjs";

const FIRST = {
  name: "a/1.sql",
  sql: "CREATE TABLE orders (id uuid NOT NULL, status text CONSTRAINT known CHECK (status IN ('a', 'b')));",
};

/** Returns the contractions of a migration after the first one. */
const found = (sql) => contractions([FIRST, { name: "a/2.sql", sql }]);

test("additions are tolerated", () => {
  const additions = `
    -- ALTER TABLE orders DROP COLUMN status;
    CREATE TABLE lines (id uuid NOT NULL); ALTER TABLE lines ALTER COLUMN id SET NOT NULL;
    ALTER TABLE orders ADD COLUMN note text, ADD COLUMN tip bigint NOT NULL DEFAULT 0 CHECK (tip >= 0);
    ALTER TABLE orders DROP CONSTRAINT known, ADD CONSTRAINT known CHECK (status IN ('a', 'b', 'c'));
    CREATE INDEX orders_note ON orders (note); CREATE UNIQUE INDEX lines_id ON lines (id);`;
  assert.deepEqual(found(additions), []);
});

test("each contraction is found", () => {
  const cases = {
    "DROP TABLE orders": "DROP TABLE orders",
    "ALTER TABLE orders RENAME TO purchases": "orders RENAME TO purchases",
    "ALTER TABLE orders RENAME COLUMN status TO state": "orders RENAME COLUMN status TO state",
    "ALTER TABLE orders DROP COLUMN status": "orders DROP COLUMN status",
    "ALTER TABLE orders ALTER status TYPE bigint USING 1": "orders ALTER status TYPE bigint USING 1",
    "ALTER TABLE orders ALTER COLUMN status SET NOT NULL": "orders ALTER COLUMN status SET NOT NULL",
    "ALTER TABLE orders ADD COLUMN note text NOT NULL": "orders ADD COLUMN note text NOT NULL has no default",
    "ALTER TABLE orders ADD CONSTRAINT short CHECK (length(status) < 9)": "orders ADD CONSTRAINT short CHECK",
    "ALTER TABLE orders ADD x int, ADD UNIQUE (status)": "orders ADD UNIQUE (status)",
    "CREATE UNIQUE INDEX CONCURRENTLY one ON orders (status)": "orders UNIQUE INDEX",
  };
  for (const [sql, expected] of Object.entries(cases)) assert.deepEqual(found(sql), [`a/2.sql: ${expected}`], sql);
});

test("a renamed table is an existing one", () => {
  const renamed = { name: "a/2.sql", sql: "ALTER TABLE orders RENAME TO purchases" };
  const last = { name: "a/3.sql", sql: "ALTER TABLE purchases DROP COLUMN status" };
  assert.equal(contractions([FIRST, renamed, last]).at(-1), "a/3.sql: purchases DROP COLUMN status");
});

test("semicolons in strings and bodies end no statement", () => {
  assert.deepEqual(statements("SELECT 'a;b'; DO $x$ BEGIN; END $x$; -- c;\n SELECT 1"), ["SELECT ''", "DO ''", "SELECT 1"]);
});
