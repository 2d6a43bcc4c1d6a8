// A frame's side of the channel to the page that opened it. The page's origin stands in the frame's address; messages
// from any other origin or window are ignored, and all that follows travels on a port that only the two of them hold.

export const parameters = new URLSearchParams(location.search);

/** Waits for the page. Resolves with what it sent first, and with ways to tell it things and to answer its requests. */
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
        const answer = await handler(data);
        if (id) port.postMessage({ id, type: 'answer', data: answer });
      };
      resolve({
        hello: event.data.data,
        tell: (type, data) => port.postMessage({ type, data }),
        on: (type, handler) => handlers.set(type, handler),
      });
    });
  });
}

/** Calls the sandbox's API with a browser's key. Resolves with the object or with `{error}`; never rejects. */
export async function call(publishableKey, method, path, parameters = {}) {
  const form = new URLSearchParams(flat(parameters));
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

/** `{card: {number: 1}}` as the pairs `card[number]=1`. */
function flat(value, name = '') {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, below]) => flat(below, name ? `${name}[${key}]` : key));
}
