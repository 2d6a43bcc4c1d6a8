// Finds dependencies that a crate declares and does not use, and dependencies that only tests use.
// Usage: node deploy/dev/checks/unused-dependencies.mjs
//
// A dependency counts as used if its name occurs as the first segment of a path. cargo-machete and cargo-shear
// check more, but compiling them takes minutes in every fresh environment; this takes less than a second.

import { existsSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { hostTriple, packageFolder, readWorkspace, rustFiles } from "./workspace.mjs";

/** Dependencies without a visible use, by package, with the reason. */
const ALLOWED = {
  proto: {
    tonic: "used by the code that build.rs generates",
    "tonic-prost": "used by the code that build.rs generates",
    "prost-types": "used by the code that build.rs generates",
  },
};

/** Removes line comments. Strings stay, because sqlx's queries name types in them. */
const withoutComments = (text) => text.replace(/^\s*\/\/.*$/gm, "").replace(/\s\/\/\s.*$/gm, "");

/** Returns whether the text contains a path that starts with the crate's name. */
function uses(text, crate) {
  return new RegExp(String.raw`(?<![\w:])(?:::)?${crate}\s*::|\buse\s+${crate}\b|\bextern crate ${crate}\b`).test(text);
}

function readAll(files) {
  return files.map((file) => withoutComments(readFileSync(file, "utf8"))).join("\n");
}

/** Splits a package's code into production, test and build code. Unit tests count as both of the first two. */
function readSources(pkg) {
  const folder = packageFolder(pkg);
  const isUnitTestFile = (file) => /(^|_)tests\.rs$/.test(basename(file)) || /[/\\]tests[/\\]/.test(relative(folder, file));
  const source = rustFiles(join(folder, "src"));
  // sqlx.toml names the Rust types of SQL types.
  const sqlxConfig = join(folder, "sqlx.toml");
  const config = existsSync(sqlxConfig) ? readFileSync(sqlxConfig, "utf8") : "";
  const buildScript = join(folder, "build.rs");
  return {
    production: readAll(source.filter((file) => !isUnitTestFile(file))) + config,
    test: readAll([...source, ...rustFiles(join(folder, "tests")), ...rustFiles(join(folder, "benches"))]),
    build: existsSync(buildScript) ? readAll([buildScript]) : "",
  };
}

const metadata = readWorkspace(["--filter-platform", hostTriple()]);
const libraryNames = new Map();
for (const pkg of metadata.packages) {
  const library = pkg.targets.find((target) => target.kind.some((kind) => /lib|proc-macro/.test(kind)));
  if (library) libraryNames.set(pkg.name, library.name.replaceAll("-", "_"));
}

const problems = [];
for (const pkg of metadata.members) {
  const sources = readSources(pkg);
  for (const dependency of pkg.dependencies) {
    if (ALLOWED[pkg.name]?.[dependency.name]) continue;
    const crate = (dependency.rename ?? libraryNames.get(dependency.name) ?? dependency.name).replaceAll("-", "_");
    const kind = dependency.kind ?? "production";
    const code = { production: sources.production, dev: sources.test, build: sources.build }[kind];
    if (uses(code, crate)) continue;
    const onlyTests = kind === "production" && uses(sources.test, crate);
    problems.push(
      `${relative(process.cwd(), pkg.manifest_path)}: ${dependency.name} is ${onlyTests ? "used only by tests: move it to [dev-dependencies]" : "not used: remove it"}`,
    );
  }
}

for (const problem of problems) console.error(problem);
console.log(problems.length ? `${problems.length} dependencies to fix` : "All dependencies are used.");
process.exit(problems.length ? 1 : 0);
