// The payment request sheet: shows the total, and sends the page a payment method of the wallet.

import { call, openChannel } from './channel.js';

const { hello, send, on } = await openChannel();
const form = document.querySelector('form');
const buttons = form.querySelectorAll('button');
const error = document.querySelector('.error');

function show({ total, currency }) {
  const money = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  document.getElementById('label').textContent = total.label;
  document.getElementById('amount').textContent = money.format(total.amount / 100);
}

function setBusy(busy) {
  for (const button of buttons) button.disabled = busy;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  setBusy(true);
  error.textContent = '';
  const token = new FormData(form).get('card');
  const method = await call(hello.publishableKey, 'POST', '/v1/payment_methods', {
    type: 'card',
    card: { token, wallet: hello.wallet },
    billing_details: { name: 'Wallet Holder', address: { country: 'US', postal_code: '94110' } },
  });
  if (method.error) {
    error.textContent = method.error.message;
    setBusy(false);
    return;
  }
  send('chosen', { method, token });
});

on('update', show);
on('complete', (status) => {
  if (status === 'success') return send('closed');
  error.textContent = "The payment didn't go through.";
  setBusy(false);
});
const cancel = () => send('cancel');
document.getElementById('cancel').addEventListener('click', cancel);
document.addEventListener('keydown', (event) => event.key === 'Escape' && cancel());

show(hello);
buttons[0].focus();
