/** Client of the admin API of the card sandbox. */
const ORIGIN = process.env.PROVIDER_URL ?? "http://127.0.0.1:7190";

interface PaymentIntent {
  id: string;
  metadata: { order_id?: string };
}

async function post(path: string, body: object): Promise<void> {
  const response = await fetch(`${ORIGIN}/sandbox/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

/** Keeps bank debits that start later in processing, until {@link settleDebits}. */
export const holdDebits = (): Promise<void> => post("settings", { settle_after_ms: 3_600_000 });

/** Settles bank debits that start later after the default time. */
export const settleDebits = (): Promise<void> => post("settings", { settle_after_ms: 5_000 });

/** Returns the bank debit of an order for insufficient funds. */
export async function returnDebit(orderId: string): Promise<void> {
  const response = await fetch(`${ORIGIN}/sandbox/state`);
  const state = (await response.json()) as { payment_intent: PaymentIntent[] };
  const debit = state.payment_intent.find(({ metadata }) => metadata.order_id === orderId);
  if (!debit) throw new Error(`the order ${orderId} has no debit`);
  await post(`payment_intents/${debit.id}/return`, { code: "insufficient_funds" });
}
