import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { readCrate, usedModules } from "./rust-modules.mjs";

/** Writes a crate and returns which file uses which, for example `{ "a.rs": ["b.rs"] }`. */
function usesIn(files) {
  const folder = mkdtempSync(join(tmpdir(), "rust-modules-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const uses = {};
    for (const module of readCrate(join(folder, "lib.rs"))) {
      const used = [...usedModules(module)].map((other) => relative(folder, other.file)).sort();
      if (used.length > 0) uses[relative(folder, module.file)] = used;
    }
    return uses;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("declaring a module is no use", () => {
  assert.deepEqual(usesIn({ "lib.rs": "mod a;", "a.rs": "fn f() {}" }), {});
});

test("imports and paths use the file that defines the item", () => {
  const uses = usesIn({
    "lib.rs": "mod a;\nmod b;\nmod c;",
    "a.rs": "use crate::{b::{self, B}, c as other};\nfn f() { b::g(); other::h() }",
    "b.rs": "pub struct B;\npub fn g() {}",
    "c.rs": "pub fn h() {}",
  });
  assert.deepEqual(uses, { "a.rs": ["b.rs", "c.rs"] });
});

test("an imported module without a use of its items is no use", () => {
  assert.deepEqual(usesIn({ "lib.rs": "mod a;\nmod b;", "a.rs": "use crate::b;", "b.rs": "pub fn g() {}" }), {});
});

test("a re-export leads to the file that defines the item", () => {
  const uses = usesIn({
    "lib.rs": "mod a;\nmod folder;",
    "a.rs": "use crate::folder::{Deep, Wide};",
    "folder/mod.rs": "mod deep;\nmod wide;\npub use deep::Deep;\npub use self::wide::*;",
    "folder/deep.rs": "pub(crate) struct Deep;",
    "folder/wide.rs": "pub enum Wide {}",
  });
  assert.deepEqual(uses["a.rs"], ["folder/deep.rs", "folder/wide.rs"]);
});

test("super leads to the enclosing module and its other modules", () => {
  const uses = usesIn({
    "lib.rs": "mod folder;",
    "folder/mod.rs": "mod x;\nmod y;\npub fn shared() {}",
    "folder/x.rs": "fn f() { super::y::g(); super::shared(); }",
    "folder/y.rs": "pub async fn g() {}",
  });
  assert.deepEqual(uses, { "folder/x.rs": ["folder/mod.rs", "folder/y.rs"] });
});

test("other crates, comments, strings and tests are no uses", () => {
  const uses = usesIn({
    "lib.rs": "mod a;\nmod b;",
    "a.rs": [
      "use anyhow::anyhow;\nuse b2::b;",
      "// crate::b::g()\nfn f() { anyhow!(\"crate::b::g()\"); let c = '\"'; }",
      "#[cfg(test)]\nmod tests {\n  use crate::b::g;\n  #[test]\n  fn t() { crate::b::g(); }\n}",
    ].join("\n"),
    "b.rs": "pub fn g() {}",
  });
  assert.deepEqual(uses, {});
});
