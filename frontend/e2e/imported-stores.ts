import { execFileSync } from "node:child_process";

/** A store of `deploy/seed/stores-sample.csv`, which is imported, not seeded. */
export const IMPORTED = "Duval & Greene";

/** Another one, which the simulator skips: tests make its orders. */
export const IMPORTED_WITHOUT_SIMULATOR = "Magazine & Napoleon";

/** Imports the sample with stores that are always open. A system that was started manually is used unchanged. */
export default function importStores(): void {
  const { BIN_DIR, STORES_DATABASE_URL } = process.env;
  if (!BIN_DIR || !STORES_DATABASE_URL) return;
  const sample = new URL("../../deploy/seed/stores-sample.csv", import.meta.url).pathname;
  execFileSync(`${BIN_DIR}/stores`, ["import", sample, "--hours", "00:00-24:00"], { stdio: "ignore" });
}
