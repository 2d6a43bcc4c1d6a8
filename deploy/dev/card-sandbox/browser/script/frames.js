// The sandbox's frames in a page, and the channels to them. The files of this folder are served as one script.

const script = document.currentScript ?? document.querySelector('script[src*="/v1/js"]');
const ORIGIN = new URL(script.src).origin;

class Emitter {
  #listeners = new Map();

  on(name, listener) {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
    return this;
  }

  off(name, listener) {
    const remaining = listener ? (this.#listeners.get(name) ?? []).filter((other) => other !== listener) : [];
    this.#listeners.set(name, remaining);
    return this;
  }

  once(name, listener) {
    const first = (event) => {
      this.off(name, first);
      listener(event);
    };
    return this.on(name, first);
  }

  hasListeners(name) {
    return (this.#listeners.get(name) ?? []).length > 0;
  }

  emit(name, event) {
    for (const listener of this.#listeners.get(name) ?? []) listener(event);
  }
}

/** A frame of the sandbox in this page, and the channel to it. */
class Frame extends Emitter {
  #port;
  #pending = new Map();
  #requests = 0;

  constructor(path, title, hello) {
    super();
    this.iframe = document.createElement('iframe');
    this.iframe.src = `${ORIGIN}/frames/${path}?${new URLSearchParams({ origin: location.origin })}`;
    this.iframe.title = title;
    this.iframe.allow = 'payment';
    this.opened = new Promise((resolve) => {
      this.iframe.addEventListener('load', () => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => this.#receive(data);
        this.#port = port1;
        // The target origin ensures that only the sandbox receives the port, even if the frame was redirected.
        this.iframe.contentWindow.postMessage({ type: 'hello', data: hello() }, ORIGIN, [port2]);
        resolve();
      });
    });
  }

  #receive({ id, type, data }) {
    if (type !== 'response') return this.emit(type, data);
    this.#pending.get(id)?.(data);
    this.#pending.delete(id);
  }

  async send(type, data) {
    await this.opened;
    this.#port.postMessage({ type, data });
  }

  async request(type, data) {
    await this.opened;
    const id = ++this.#requests;
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      this.#port.postMessage({ id, type, data });
    });
  }
}

/** Opens a frame over the whole page. Closing it restores the focus. */
function dialog(path, title, hello) {
  const previousFocus = document.activeElement;
  const frame = new Frame(path, title, () => hello);
  Object.assign(frame.iframe.style, {
    position: 'fixed', inset: '0', width: '100%', height: '100%', border: '0', zIndex: '2147483647',
    background: 'transparent', colorScheme: 'normal',
  });
  document.body.append(frame.iframe);
  frame.iframe.focus();
  frame.close = () => {
    // Hides the frame immediately, and removes it after the click inside it that closed it has been handled.
    frame.iframe.style.visibility = 'hidden';
    frame.iframe.removeAttribute('title');
    setTimeout(() => frame.iframe.remove(), 300);
    previousFocus?.focus?.();
  };
  return frame;
}

function integrationError(message) {
  return Object.assign(new Error(message), { name: 'IntegrationError' });
}

/** Converts `{card: {number: 1}}` to the pairs `card[number]=1`. */
function toFormPairs(value, name = '') {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, child]) => toFormPairs(child, name ? `${name}[${key}]` : key));
}
