// Finds import cycles between the Rust files of each crate. Biome finds those of the web app (noImportCycles).
// Usage: node deploy/dev/checks/import-cycles.mjs [PACKAGE...]
//
// File A imports file B if A names an item that B defines. Declaring a module (`mod b;`) and re-exporting through
// another file do not count: only the file that defines the item does. Uses of an enclosing module do not count
// either: lib.rs and mod.rs hold what their whole folder shares, and call the modules in it.

import { dirname, relative } from "node:path";
import { readCrate, usedModules } from "./rust-modules.mjs";
import { readWorkspace } from "./workspace.mjs";

/** Groups files that reach each other (Tarjan's algorithm). Returns only groups of two or more. */
function stronglyConnected(graph) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const groups = [];
  const visit = (file) => {
    index.set(file, index.size);
    low.set(file, index.get(file));
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file), low.get(next)));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) groups.push(group);
  };
  for (const file of graph.keys()) if (!index.has(file)) visit(file);
  return groups;
}

/** Returns the shortest path from a file back to itself within a group. */
function shortestCycle(graph, start, group) {
  const previous = new Map();
  const queue = [start];
  for (const file of queue) {
    for (const next of graph.get(file)) {
      if (next === start) {
        const cycle = [start];
        for (let step = file; step !== start; step = previous.get(step)) cycle.unshift(step);
        return [start, ...cycle];
      }
      if (group.includes(next) && !previous.has(next)) {
        previous.set(next, file);
        queue.push(next);
      }
    }
  }
  return [];
}

/** Returns cycles that together contain every file of a group. */
function cyclesOf(graph, group) {
  const covered = new Set();
  const cycles = [];
  for (const file of group) {
    if (covered.has(file)) continue;
    const cycle = shortestCycle(graph, file, group);
    for (const member of cycle) covered.add(member);
    cycles.push(cycle);
  }
  return cycles;
}

const selected = process.argv.slice(2);
let filesInCycles = 0;
for (const pkg of readWorkspace(["--no-deps"]).members) {
  if (selected.length > 0 && !selected.includes(pkg.name)) continue;
  for (const target of pkg.targets) {
    if (target.kind.includes("custom-build")) continue;
    const folder = dirname(target.src_path);
    const graph = new Map();
    for (const module of readCrate(target.src_path)) {
      const used = [...usedModules(module)].filter((other) => !module.isInside(other));
      graph.set(relative(folder, module.file), used.map((other) => relative(folder, other.file)));
    }
    for (const group of stronglyConnected(graph)) {
      filesInCycles += group.length;
      console.error(`${relative(process.cwd(), folder)}: ${group.length} files import each other in a circle`);
      for (const cycle of cyclesOf(graph, group)) console.error(`  ${cycle.join(" -> ")}`);
    }
  }
}

console.log(filesInCycles ? `${filesInCycles} files are in import cycles` : "No import cycles.");
process.exit(filesInCycles ? 1 : 0);
