// Serves the shell simulator, and the app through a proxy that adds the simulated shell to its pages.
// Usage: node deploy/dev/shell-simulator/serve.mjs [PORT]   (GATEWAY_ADDRESS: the running system)
import { readFile } from "node:fs/promises";
import { createServer, request } from "node:http";

const PREFIX = "/__shell/";
const TYPES = { html: "text/html", css: "text/css", js: "text/javascript" };
const FILES = ["index.html", "simulator.css", "simulator.js", "shell.js"];

const port = Number(process.argv[2] ?? 7085);
const gateway = new URL(process.env.GATEWAY_ADDRESS ?? "http://127.0.0.1:7080");

async function serveFile(name, response) {
  if (!FILES.includes(name)) return response.writeHead(404).end();
  const text = await readFile(new URL(name, import.meta.url));
  const type = TYPES[name.split(".").at(-1)];
  response.writeHead(200, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" }).end(text);
}

/** The gateway accepts changes from its own origin only, and compresses pages unless asked not to. */
function headersFor({ headers }) {
  const sent = { ...headers, host: gateway.host, "accept-encoding": "identity" };
  for (const name of ["origin", "referer"]) {
    if (sent[name]) sent[name] = sent[name].replace(`http://${headers.host}`, gateway.origin);
  }
  return sent;
}

/** Adds the simulated shell in front of the first script. Without a service worker, which would respond instead of the proxy. */
async function sendPage(upstream, response) {
  const chunks = [];
  for await (const chunk of upstream) chunks.push(chunk);
  const page = Buffer.concat(chunks).toString().replace("<head>", `<head><script src="${PREFIX}shell.js"></script>`);
  const { "content-length": _, ...headers } = upstream.headers;
  response.writeHead(upstream.statusCode, headers).end(page);
}

function forward(incoming, response) {
  const { method, url } = incoming;
  const upstream = request(new URL(url, gateway), { method, headers: headersFor(incoming) }, (reply) => {
    if (String(reply.headers["content-type"]).startsWith("text/html")) return void sendPage(reply, response);
    response.writeHead(reply.statusCode, reply.headers);
    reply.pipe(response);
  });
  upstream.on("error", () => {
    if (!response.headersSent) response.writeHead(502);
    response.end(`No system at ${gateway.origin}. Start it with: make run\n`);
  });
  // Closes live streams when the page is closed.
  response.on("close", () => upstream.destroy());
  incoming.pipe(upstream);
}

createServer((incoming, response) => {
  const { pathname } = new URL(incoming.url, gateway);
  if (pathname === "/sw.js") response.writeHead(404).end();
  else if (pathname.startsWith(PREFIX)) void serveFile(pathname.slice(PREFIX.length) || "index.html", response);
  else forward(incoming, response);
}).listen(port, "127.0.0.1", () => console.log(`Shell simulator: http://127.0.0.1:${port}${PREFIX}`));
