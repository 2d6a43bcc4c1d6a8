// The bank's authentication: a dialog over the page, or a separate page that redirects back to the shop.

import { openChannel, parameters } from './channel.js';

const isFramed = window.parent !== window;
const channel = isFramed ? await openChannel() : null;
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
  if (isFramed) return channel.send('done');
  if (!response?.ok) {
    document.querySelector('.error').textContent = 'This authentication is no longer needed.';
    return;
  }
  returnToShop(await response.json());
}

/** Redirects to the return URL with the parameters that the provider appends. Only http and https are allowed. */
function returnToShop(intent) {
  const target = parameters.get('return_url');
  if (!target || !/^https?:$/.test(new URL(target).protocol)) return;
  const url = new URL(target);
  url.searchParams.set(intent.object, intent.id);
  url.searchParams.set(`${intent.object}_client_secret`, intent.client_secret);
  url.searchParams.set('redirect_status', intent.status === 'requires_payment_method' ? 'failed' : 'succeeded');
  location.assign(url);
}

for (const button of buttons) button.addEventListener('click', () => decide(button.dataset.outcome));
document.addEventListener('keydown', (event) => event.key === 'Escape' && decide('fail'));
