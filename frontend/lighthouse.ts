/**
 * Reports how light and quick the screens are on a simulated slow phone: `npm run report` against a running system (BASE_URL). Fails
 * below the minimum score. Scores depend on the machine: close other programs. The build and a browser test check the sizes.
 */
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const BASE_URL = process.env.BASE_URL ?? "http://127.0.0.1:7080";
const MIN_SCORE = 95;
/** The median of several runs is reported. */
const RUNS = Number(process.env.RUNS ?? 3);

interface Measurement {
  score: number;
  /** Milliseconds. */
  lcp: number;
  tbt: number;
  cls: number;
  /** Transferred bytes. */
  script: number;
  all: number;
}

/** Prefers a store that is open: the note of a closed one would be the largest text of the menu. */
async function findStoreId(): Promise<string> {
  const response = await fetch(`${BASE_URL}/api/consumer/stores/list?take=50`);
  const { data }: { data: { stores: { storeId: string; openState: string }[] } } = await response.json();
  const store = data.stores.find(({ openState }) => openState === "open") ?? data.stores[0];
  if (!store) throw new Error("the system has no stores");
  return store.storeId;
}

async function measure(path: string): Promise<Measurement> {
  const chromePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const chrome = await launch({ chromePath, chromeFlags: ["--headless=new", "--no-sandbox"] });
  try {
    const result = await lighthouse(BASE_URL + path, {
      port: chrome.port,
      onlyCategories: ["performance"],
      logLevel: "error",
    });
    if (!result) throw new Error(`no report for ${path}`);
    const { audits, categories } = result.lhr;
    const value = (id: string) => audits[id]?.numericValue ?? Number.NaN;
    const items =
      (audits["resource-summary"]?.details as { items?: ResourceItem[] } | undefined)?.items ?? [];
    const bytes = (type: string) =>
      items.find(({ resourceType }) => resourceType === type)?.transferSize ?? 0;
    return {
      score: Math.round((categories.performance?.score ?? 0) * 100),
      lcp: value("largest-contentful-paint"),
      tbt: value("total-blocking-time"),
      cls: value("cumulative-layout-shift"),
      script: bytes("script"),
      all: bytes("total"),
    };
  } finally {
    chrome.kill();
  }
}

interface ResourceItem {
  resourceType: string;
  transferSize: number;
}

async function measureMedian(path: string): Promise<Measurement> {
  const runs: Measurement[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await measure(path));
  const median = (name: keyof Measurement) =>
    runs.map((run) => run[name]).sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Number.NaN;
  return {
    score: median("score"),
    lcp: median("lcp"),
    tbt: median("tbt"),
    cls: median("cls"),
    script: median("script"),
    all: median("all"),
  };
}

function format(name: string, { score, lcp, tbt, cls, script, all }: Measurement): string {
  const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  return [
    name.padEnd(8),
    `${score} points`,
    `LCP ${(lcp / 1000).toFixed(2)} s`,
    `TBT ${Math.round(tbt)} ms`,
    `CLS ${cls.toFixed(3)}`,
    `script ${kB(script)}`,
    `all ${kB(all)}`,
  ].join("  ");
}

const screens = { home: "/", explore: "/explore", menu: `/store/${await findStoreId()}/menu` };
let failed = false;
for (const [name, path] of Object.entries(screens)) {
  const measured = await measureMedian(path);
  process.stdout.write(`${format(name, measured)}\n`);
  if (measured.score < MIN_SCORE) failed = true;
}
if (failed) {
  process.stdout.write(`A screen has less than ${MIN_SCORE} points.\n`);
  process.exitCode = 1;
}
