// Receives webhooks and verifies their signatures: WEBHOOK_SECRET=whsec_… node webhook-receiver.mjs [port]
// During a rotation, WEBHOOK_SECRET may list both secrets, separated by commas.
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const MAX_BYTES = 64 * 1024;
const secrets = (process.env.WEBHOOK_SECRET ?? "").split(",").filter(Boolean);
if (secrets.length === 0) {
  console.error("Set WEBHOOK_SECRET to the secret that `stores webhooks add` printed.");
  process.exit(2);
}
const port = Number(process.argv[2] ?? 7095);

/** Deliveries that were processed. A real receiver stores their ids in the transaction of their effect. */
const processed = new Set();

async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error("the body is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Returns the event, or throws if no secret verifies the signature or the timestamp is older than five minutes. */
function verify(body, headers) {
  let failure;
  for (const secret of secrets) {
    try {
      return new Webhook(secret).verify(body, headers);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function receive(event, id) {
  if (processed.has(id)) return console.log(`${id} repeated`);
  processed.add(id);
  const { orderId, status, version } = event.data;
  // Events may arrive out of order: keep the highest version of an order.
  console.log(`${id} ${event.type} ${orderId} ${status} version ${version}`);
}

const server = createServer(async (request, response) => {
  try {
    const body = await readBody(request);
    receive(verify(body, request.headers), request.headers["webhook-id"]);
    response.writeHead(204).end();
  } catch (error) {
    console.error(`rejected: ${error.message}`);
    response.writeHead(400).end();
  }
});

server.listen(port, "127.0.0.1", () => console.log(`listening on http://127.0.0.1:${port}`));
