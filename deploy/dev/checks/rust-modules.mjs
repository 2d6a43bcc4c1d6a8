// Reads the modules of a Rust crate and resolves the paths in them to files. This is a reader of names, not a
// compiler: it knows `mod`, `use`, item definitions and paths, which is enough to see which file uses which.

import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const IDENTIFIER = String.raw`(?:r#)?[A-Za-z_]\w*`;
const ITEM = new RegExp(
  String.raw`^[ \t]*(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?(?:const\s+|async\s+|unsafe\s+|extern\s+"[^"]*"\s+)*(?:fn|struct|enum|union|trait|type|const|static(?:\s+mut)?|macro_rules!)\s+(${IDENTIFIER})`,
  "gm",
);
const MODULE_FILE = new RegExp(String.raw`^[ \t]*(?:pub(?:\([^)]*\))?\s+)?mod\s+(${IDENTIFIER})\s*;`, "gm");
const INLINE_MODULE = new RegExp(String.raw`^[ \t]*(?:pub(?:\([^)]*\))?\s+)?mod\s+(${IDENTIFIER})\s*\{`, "gm");
const USE = /^[ \t]*(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);/gm;
const PATH = new RegExp(String.raw`(?<![\w:$])${IDENTIFIER}(?:::${IDENTIFIER})+`, "g");

/** A module in a file of its own: its file, parent, child modules, imports, globs, items and paths. */
class Module {
  constructor(file, parent) {
    this.file = file;
    this.parent = parent;
    this.children = new Map();
    this.imports = new Map();
    this.globs = [];
  }

  get root() {
    return this.parent ? this.parent.root : this;
  }

  /** Returns whether this module is the other one or is nested in it. */
  isInside(other) {
    return this === other || (this.parent?.isInside(other) ?? false);
  }
}

/** Returns all modules of a crate, given its root file. Modules compiled only for tests are left out. */
export function readCrate(rootFile) {
  const modules = [];
  readModule(rootFile, null, modules);
  return modules;
}

function readModule(file, parent, modules) {
  const module = new Module(file, parent);
  modules.push(module);
  const text = withoutTests(withoutCommentsAndStrings(readFileSync(file, "utf8")));
  for (const [, name] of text.matchAll(MODULE_FILE)) {
    const childFile = moduleFile(file, parent === null, name);
    if (childFile) module.children.set(name, readModule(childFile, module, modules));
  }
  for (const [, , tree] of text.matchAll(USE)) {
    for (const { path, name } of expandUse(tree)) {
      if (name === "*") module.globs.push(path);
      else module.imports.set(name, path);
    }
  }
  const code = text.replace(USE, "");
  module.items = new Set([...code.matchAll(ITEM), ...code.matchAll(INLINE_MODULE)].map((match) => match[1]));
  module.paths = [...code.matchAll(PATH)].map(([path]) => path.split("::"));
  return module;
}

/** Replaces comments and the contents of strings with nothing. */
function withoutCommentsAndStrings(text) {
  const token = /\/\/.*|\/\*[\s\S]*?\*\/|b?r(#*)"[\s\S]*?"\1|b?"(?:\\[\s\S]|[^"\\])*"|'(?:\\.[^']*|[^\\'])'/g;
  return text.replace(token, (match) => (match.startsWith("/") ? "" : '""'));
}

/** Removes the items that are compiled only for tests. */
function withoutTests(text) {
  const attribute = /#\[cfg\((?:all\()?test\b[^\]]*\]/g;
  let result = "";
  let position = 0;
  for (let match = attribute.exec(text); match; match = attribute.exec(text)) {
    result += text.slice(position, match.index);
    position = endOfItem(text, attribute.lastIndex);
    attribute.lastIndex = position;
  }
  return result + text.slice(position);
}

/** Returns the position after the item that starts at `start`: after its semicolon or its closing brace. */
function endOfItem(text, start) {
  let depth = 0;
  for (let position = start; position < text.length; position++) {
    if (text[position] === "{") depth++;
    else if (text[position] === "}" && --depth === 0) return position + 1;
    else if (text[position] === ";" && depth === 0) return position + 1;
  }
  return text.length;
}

function moduleFile(file, isRoot, name) {
  const plain = name.replace(/^r#/, "");
  const isFolderModule = isRoot || basename(file) === "mod.rs";
  const folder = isFolderModule ? dirname(file) : join(dirname(file), basename(file, ".rs"));
  return [join(folder, `${plain}.rs`), join(folder, plain, "mod.rs")].find((candidate) => existsSync(candidate));
}

/** Expands `a::{b, c as d, e::*}` to its paths and the names that they introduce. */
function expandUse(tree, prefix = []) {
  const open = tree.indexOf("{");
  if (open >= 0) {
    const before = splitPath(tree.slice(0, open));
    const inner = tree.slice(open + 1, tree.lastIndexOf("}"));
    return splitList(inner).flatMap((part) => expandUse(part, [...prefix, ...before]));
  }
  const [pathText, alias] = tree.trim().split(/\s+as\s+/);
  let path = [...prefix, ...splitPath(pathText)];
  const last = path.at(-1);
  if (last === "*") return [{ path: path.slice(0, -1), name: "*" }];
  if (last === "self" && path.length > 1) path = path.slice(0, -1);
  return [{ path, name: alias ?? path.at(-1) }];
}

const splitPath = (text) => text.split("::").map((part) => part.trim()).filter(Boolean);

function splitList(text) {
  const parts = [];
  let depth = 0;
  let current = "";
  for (const character of text) {
    if (character === "{") depth++;
    if (character === "}") depth--;
    if (character === "," && depth === 0) {
      parts.push(current);
      current = "";
    } else current += character;
  }
  return [...parts, current].filter((part) => part.trim());
}

/** Returns the modules that a module uses: those that define the items in its imports and paths. */
export function usedModules(module) {
  const used = new Set();
  for (const path of [...module.imports.values(), ...module.globs, ...module.paths]) {
    const target = resolve(module, path, new Set());
    // A path that ends at a module imports no item; the paths that continue from it do.
    if (target?.definesItem && target.module !== module) used.add(target.module);
  }
  for (const path of module.globs) {
    const target = resolve(module, path, new Set());
    if (target && target.module !== module) used.add(target.module);
  }
  return used;
}

/** Resolves a path as seen from a module, through imports and re-exports. Paths to other crates give undefined. */
function resolve(module, path, visited) {
  const key = `${module.file} ${path.join("::")}`;
  if (visited.has(key)) return undefined;
  visited.add(key);
  const [first, ...rest] = path;
  if (first === "crate") return resolveIn(module.root, rest, visited);
  if (first === "self") return resolveIn(module, rest, visited);
  if (first === "super") return module.parent ? resolveFromSuper(module.parent, rest, visited) : undefined;
  const isLocal = module.children.has(first) || module.imports.has(first) || module.items.has(first);
  return isLocal ? resolveIn(module, path, visited) : undefined;
}

function resolveFromSuper(parent, rest, visited) {
  if (rest[0] === "super") return parent.parent ? resolveFromSuper(parent.parent, rest.slice(1), visited) : undefined;
  return resolveIn(parent, rest, visited);
}

/** Resolves the remaining path inside a module. */
function resolveIn(module, path, visited) {
  if (path.length === 0) return { module, definesItem: false };
  const [first, ...rest] = path;
  if (module.items.has(first)) return { module, definesItem: true };
  if (module.children.has(first)) return resolveIn(module.children.get(first), rest, visited);
  if (module.imports.has(first)) {
    const target = module.imports.get(first);
    // `use name::other as name` and `use name::name`: the first segment is another crate.
    if (target[0] === first && !module.children.has(first)) return undefined;
    return resolve(module, [...target, ...rest], visited);
  }
  for (const glob of module.globs) {
    const target = resolve(module, [...glob, first, ...rest], visited);
    if (target?.definesItem) return target;
  }
  return undefined;
}
