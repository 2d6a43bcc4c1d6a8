// The bank's question: in a dialog over the page, or as a page of its own that leads back to the shop.

import { openChannel, parameters } from './channel.js';

const framed = window.parent !== window;
const channel = framed ? await openChannel() : null;
const clientSecret = parameters.get('client_secret') ?? channel?.hello.clientSecret;
const buttons = document.querySelectorAll('button');
buttons[0].focus();

async function decide(outcome) {
  for (const button of buttons) button.disabled = true;
  const response = await fetch('/sandbox/authenticate', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_secret: clientSecret, outcome }),
  }).catch(() => null);
  if (framed) return channel.tell('done');
  if (!response?.ok) {
    document.querySelector('.error').textContent = 'There is nothing to authenticate any more.';
    return;
  }
  leave(await response.json());
}

/** Back to the shop, with what the provider appends; only to the web, never to a script's address. */
function leave(intent) {
  const target = parameters.get('return_url');
  if (!target || !/^https?:$/.test(new URL(target).protocol)) return;
  const back = new URL(target);
  back.searchParams.set(intent.object, intent.id);
  back.searchParams.set(`${intent.object}_client_secret`, intent.client_secret);
  back.searchParams.set('redirect_status', intent.status === 'requires_payment_method' ? 'failed' : 'succeeded');
  location.assign(back);
}

for (const button of buttons) button.addEventListener('click', () => decide(button.dataset.outcome));
document.addEventListener('keydown', (event) => event.key === 'Escape' && decide('fail'));
