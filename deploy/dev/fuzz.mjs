// Signs in as the demo consumer and runs schemathesis against the gateway. Started by deploy/dev/fuzz.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const gateway = process.env.GATEWAY_ADDRESS;
const phone = "+14155550100";
const storeCredential = process.env.DEV_STORE_CREDENTIAL ?? "store_dev_credential_for_the_simulator";
/** Also for the files of schemathesis. */
const folder = dirname(process.env.SMS_FILE);
const document = fileURLToPath(new URL("../../gateway/openapi.json", import.meta.url));

/** They end the session, or wait for events without end. */
const excluded = [
  "/api/consumer/authentication/exchange-hand-over-code",
  "/api/consumer/authentication/login",
  "/api/consumer/authentication/logout",
  "/api/consumer/order/events",
  "/api/consumer/store/events",
  "/api/consumer/user/end-session",
  "/api/consumer/user/remove",
  "/store-api/queue/events",
];

async function post(path, body) {
  const response = await fetch(`${gateway}/api/consumer/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: gateway, "x-correlation-id": "fuzz" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** Waits for the text message with the sign-in code. */
async function signInCode() {
  for (let attempt = 0; attempt < 100; attempt++) {
    const lines = (await readFile(process.env.SMS_FILE, "utf8").catch(() => "")).split("\n").filter(Boolean);
    const message = lines.map((line) => JSON.parse(line)).findLast((text) => text.phone === phone && text.code);
    if (message) return message.code;
    await setTimeout(100);
  }
  throw new Error("no sign-in code was sent");
}

/** Returns the session cookie of the demo consumer. */
async function signIn() {
  await post("authentication/login", { phone });
  const response = await post("authentication/verify", { phone, code: await signInCode() });
  return response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]).join("; ");
}

async function get(path, headers) {
  const response = await fetch(`${gateway}/api/consumer/${path}`, { headers });
  const body = await response.json();
  if (!body.success) throw new Error(`${path}: ${response.status} ${JSON.stringify(body)}`);
  return body.data;
}

/** Writes a configuration with ids that exist, because generated ids are unknown to the system. */
async function writeIds(file, headers) {
  const [store] = (await get("stores/list?take=1", headers)).stores;
  const [section] = (await get(`store/menu?storeId=${store.storeId}`, headers)).sections;
  const { itemId } = section.items[0];
  const { id: userId } = await get("user/info", headers);
  const values = { storeId: store.storeId, companyId: store.companyId, categoryId: section.category.categoryId, itemId, userId };
  const parameters = Object.entries(values).map(([name, value]) => `${name} = "${value}"`);
  const storeApi = ["[[operations]]", 'include-path-regex = "^/store-api/stores/"', `parameters = { id = "${store.storeId}" }`];
  await writeFile(file, ["[parameters]", ...parameters, ...storeApi, ""].join("\n"));
}

/** Runs schemathesis and returns whether it found nothing. */
async function run(configuration, options) {
  const tool = spawn(process.env.SCHEMATHESIS, [...configuration, "run", document, ...options], { cwd: folder, stdio: "inherit" });
  const [code] = await once(tool, "exit");
  return code === 0;
}

const headers = {
  Cookie: await signIn(),
  Origin: gateway,
  "x-correlation-id": "fuzz",
  Authorization: `Bearer ${storeCredential}`,
};
const options = [
  "--url", gateway,
  "--checks", "not_a_server_error,content_type_conformance,response_schema_conformance,unsupported_method",
  "--max-examples", process.env.FUZZ_EXAMPLES ?? "30",
  "--continue-on-failure", "--suppress-health-check", "all", "--request-timeout", "30", "--workers", "2",
  ...(process.env.FUZZ_SEED ? ["--seed", process.env.FUZZ_SEED] : []),
  ...excluded.flatMap((path) => ["--exclude-path", path]),
  ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
  ...process.argv.slice(2),
];
const ids = join(folder, "fuzz-ids.toml");
await writeIds(ids, headers);
const isCleanWithAnyId = await run([], ["--phases", "coverage,fuzzing", ...options]);
const isCleanWithIds = await run(["--config-file", ids], ["--phases", "fuzzing,stateful", "--max-time", process.env.FUZZ_SECONDS ?? "120", ...options]);
process.exit(isCleanWithAnyId && isCleanWithIds ? 0 : 1);
