// The frame's side of the channel to the page that opened it. The frame's URL contains the page's origin. Messages from
// other origins or windows are ignored; after the first message, both sides use a private message port.

export const parameters = new URLSearchParams(location.search);

/** Waits for the page's first message. Resolves with its data, and with functions to send and handle messages. */
export function openChannel() {
  const page = parameters.get('origin');
  return new Promise((resolve) => {
    window.addEventListener('message', function hello(event) {
      if (event.source !== window.parent || event.origin !== page || event.data?.type !== 'hello') return;
      window.removeEventListener('message', hello);
      const [port] = event.ports;
      const handlers = new Map();
      port.onmessage = async ({ data: { id, type, data } }) => {
        const handler = handlers.get(type);
        if (!handler) return;
        const response = await handler(data);
        if (id) port.postMessage({ id, type: 'response', data: response });
      };
      resolve({
        hello: event.data.data,
        send: (type, data) => port.postMessage({ type, data }),
        on: (type, handler) => handlers.set(type, handler),
      });
    });
  });
}

/** Calls the sandbox's API with the publishable key. Resolves with the object or with `{error}`; never rejects. */
export async function call(publishableKey, method, path, parameters = {}) {
  const form = new URLSearchParams(toFormPairs(parameters));
  const query = method === 'GET' && form.size ? `?${form}` : '';
  try {
    const response = await fetch(path + query, {
      method,
      headers: { authorization: `Bearer ${publishableKey}` },
      body: method === 'GET' ? undefined : form,
    });
    return await response.json();
  } catch {
    return { error: { type: 'api_connection_error', message: 'We could not reach the card provider. Please try again.' } };
  }
}

/** Converts `{card: {number: 1}}` to the pairs `card[number]=1`. */
function toFormPairs(value, name = '') {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, child]) => toFormPairs(child, name ? `${name}[${key}]` : key));
}
