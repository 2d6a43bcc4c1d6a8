/** The card provider's browser script, loaded when a card is first needed. Card numbers go to the provider only. */
import type { Provider, ProviderFactory } from "./provider";

/** Specification section 9: so often it is tried again. */
const RETRIES = 2;
const PAUSE_MS = 600;

declare global {
  interface Window {
    /** The provider's own name for its script. */
    Stripe?: ProviderFactory;
  }
}

interface Keys {
  scriptUrl: string;
  publishableKey: string;
}

let loading: Promise<ProviderFactory> | undefined;

/** The provider for our key. The script is loaded once a page; a load that failed may be asked for again. */
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

/** The script could not be had: blocked, offline, or the provider is away. */
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
      // One that failed is never tried again by the browser: the next attempt needs an element of its own.
      script.remove();
      reject(new ScriptError());
    };
    document.head.append(script);
  });
}
