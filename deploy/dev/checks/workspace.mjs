// Reads the packages of the Cargo workspace and their source files.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Returns the result of `cargo metadata`, with the workspace's packages in `members`.
 * @param {string[]} extraArguments
 */
export function readWorkspace(extraArguments = []) {
  const command = ["metadata", "--locked", "--format-version", "1", ...extraArguments];
  const result = spawnSync("cargo", command, {
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (result.status !== 0) {
    console.error("cargo metadata failed");
    process.exit(1);
  }
  const metadata = JSON.parse(result.stdout);
  const memberIds = new Set(metadata.workspace_members);
  metadata.members = metadata.packages.filter((pkg) => memberIds.has(pkg.id));
  return metadata;
}

/** Returns the triple of this machine, for example `x86_64-unknown-linux-gnu`. */
export function hostTriple() {
  return execFileSync("rustc", ["-vV"], { encoding: "utf8" }).match(/^host: (.*)$/m)[1];
}

/** Returns the folder that contains a package's Cargo.toml. */
export const packageFolder = (pkg) => dirname(pkg.manifest_path);

/** Returns all Rust files below a folder. */
export function rustFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".rs"))
    .map((name) => join(folder, name));
}
