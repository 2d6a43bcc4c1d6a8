// The scripts end and wait for their own processes only: the files with process ids of a killed run remain, and other processes may get
// the ids.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";

const scripts = join(import.meta.dirname, "..");

/** Copies the scripts to a clone of their own, in which the dev stack has other ports. */
async function withClone(run) {
  const clone = mkdtempSync(join(tmpdir(), "process-ids-"));
  // Another program uses the port of RabbitMQ.
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const base = server.address().port - 72;
  try {
    const copy = join(clone, "deploy/dev");
    for (const name of ["stop", "backing-services", "load", "fuzz", "lib"]) {
      cpSync(join(scripts, name), join(copy, name), { recursive: true });
    }
    const stack = join(copy, "lib/stack.sh");
    writeFileSync(stack, readFileSync(stack, "utf8").replace("base=7100", `base=${base}`));
    await run(clone);
  } finally {
    server.close();
    rmSync(clone, { recursive: true });
  }
}

/** Starts a process that does nothing, with the command line of a script, and returns it. */
function startProcess(commandLine) {
  return spawn("bash", ["-c", `exec -a "$0" sleep 60`, commandLine], { stdio: "ignore" });
}

function writeId(clone, name, { pid }) {
  const file = join(clone, ".run", name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${pid}\n`);
}

test("stop does not end other processes that got the ids of a killed run", async () => {
  const other = startProcess("another program");
  try {
    await withClone(async (clone) => {
      for (const name of ["run.pid", "honcho.pid", "rabbitmq/pid"]) writeId(clone, name, other);
      const stopped = spawnSync(join(clone, "deploy/dev/stop"), { encoding: "utf8", timeout: 50_000 });
      assert.equal(stopped.status, 0, stopped.stderr);
      assert.ok(existsSync(`/proc/${other.pid}`));
      assert.equal(other.signalCode, null);
    });
  } finally {
    other.kill("SIGKILL");
  }
});

for (const [script, other] of [["load", "fuzz"], ["fuzz", "load"], ["load", "load"]]) {
  test(`${script} does not start while ${other} uses the same stack`, async () => {
    const running = startProcess(`deploy/dev/${other}`);
    try {
      await withClone(async (clone) => {
        writeId(clone, `load/${other}.pid`, running);
        const started = spawnSync(join(clone, "deploy/dev", script), { encoding: "utf8", timeout: 50_000 });
        assert.equal(started.status, 1, started.stderr);
        assert.match(started.stderr, new RegExp(`make ${other} already runs`));
      });
    } finally {
      running.kill("SIGKILL");
    }
  });
}
