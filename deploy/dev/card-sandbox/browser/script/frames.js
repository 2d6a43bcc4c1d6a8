// The frames of the sandbox in a page, and the channels to them. The files of this folder are served as one script.

const script = document.currentScript ?? document.querySelector('script[src*="/v1/js"]');
const ORIGIN = new URL(script.src).origin;

/** Listeners by the name of the event. */
class Emitter {
  #listeners = new Map();

  on(name, listener) {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
    return this;
  }

  off(name, listener) {
    const left = listener ? (this.#listeners.get(name) ?? []).filter((it) => it !== listener) : [];
    this.#listeners.set(name, left);
    return this;
  }

  once(name, listener) {
    const first = (event) => {
      this.off(name, first);
      listener(event);
    };
    return this.on(name, first);
  }

  listens(name) {
    return (this.#listeners.get(name) ?? []).length > 0;
  }

  emit(name, event) {
    for (const listener of this.#listeners.get(name) ?? []) listener(event);
  }
}

/** One of the sandbox's frames in this page, and the channel to it. */
class Frame extends Emitter {
  #port;
  #waiting = new Map();
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
        // Only the sandbox may receive the port: had the frame been led elsewhere, nothing would be sent.
        this.iframe.contentWindow.postMessage({ type: 'hello', data: hello() }, ORIGIN, [port2]);
        resolve();
      });
    });
  }

  #receive({ id, type, data }) {
    if (type !== 'answer') return this.emit(type, data);
    this.#waiting.get(id)?.(data);
    this.#waiting.delete(id);
  }

  async tell(type, data) {
    await this.opened;
    this.#port.postMessage({ type, data });
  }

  async ask(type, data) {
    await this.opened;
    const id = ++this.#requests;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#port.postMessage({ id, type, data });
    });
  }
}

/** Opens a frame over the whole page until it is done with; focus returns to where it was. */
function dialog(path, title, hello) {
  const before = document.activeElement;
  const frame = new Frame(path, title, () => hello);
  Object.assign(frame.iframe.style, {
    position: 'fixed', inset: '0', width: '100%', height: '100%', border: '0', zIndex: '2147483647',
    background: 'transparent', colorScheme: 'normal',
  });
  document.body.append(frame.iframe);
  frame.iframe.focus();
  frame.close = () => {
    // Gone for the person at once, but removed only when the click that closed it has run its course inside.
    frame.iframe.style.visibility = 'hidden';
    frame.iframe.removeAttribute('title');
    setTimeout(() => frame.iframe.remove(), 300);
    before?.focus?.();
  };
  return frame;
}

function integration(message) {
  return Object.assign(new Error(message), { name: 'IntegrationError' });
}

/** `{card: {number: 1}}` as the pairs `card[number]=1`. */
function flat(value, name = '') {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([part, below]) => flat(below, name ? `${name}[${part}]` : part));
}
