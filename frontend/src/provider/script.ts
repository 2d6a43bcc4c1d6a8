/** The card provider's browser script, loaded when a card is first needed. Card numbers go to the provider only. */
import type { Provider, ProviderFactory } from "./provider";

/** Specification section 9. */
const RETRIES = 2;
const PAUSE_MS = 600;

declare global {
  interface Window {
    Stripe?: ProviderFactory;
  }
}

interface Keys {
  scriptUrl: string;
  publishableKey: string;
}

let loading: Promise<ProviderFactory> | undefined;

/** Loads the provider script once per page and returns the provider. A failed load can be retried by another call. */
export async function loadProvider({ scriptUrl, publishableKey }: Keys): Promise<Provider> {
  loading ??= load(scriptUrl).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return (await loading)(publishableKey);
}

async function load(src: string): Promise<ProviderFactory> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      if (!window.Stripe) await addScript(src);
      if (window.Stripe) return window.Stripe;
      throw new ScriptError();
    } catch (error) {
      if (attempt >= RETRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (attempt + 1)));
    }
  }
}

/** For the consumer: the script is the bank's check of a payment. */
export const SCRIPT_FAILED = "We couldn't load your bank's check.";

/** The script could not be loaded: blocked, offline, or the provider is unavailable. */
export class ScriptError extends Error {
  override readonly name = "ScriptError";
}

function addScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = src;
    script.async = true;
    script.onload = () => resolve();
    script.onerror = () => {
      // Browsers do not reload a failed script element: the next attempt needs a new one.
      script.remove();
      reject(new ScriptError());
    };
    document.head.append(script);
  });
}
