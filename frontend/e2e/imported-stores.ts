import { execFileSync } from "node:child_process";

/** A store of `deploy/seed/stores-sample.csv`: it came in by import, not by the seed. */
export const IMPORTED = "Duval & Greene";

/**
 * Imports the sample, open around the clock, as tests run at any hour. A system that was started by hand is taken as
 * it is.
 */
export default function importStores(): void {
  const { BIN_DIR, STORES_DATABASE_URL } = process.env;
  if (!BIN_DIR || !STORES_DATABASE_URL) return;
  const sample = new URL("../../deploy/seed/stores-sample.csv", import.meta.url).pathname;
  execFileSync(`${BIN_DIR}/stores`, ["import", sample, "--hours", "00:00-24:00"], { stdio: "ignore" });
}
