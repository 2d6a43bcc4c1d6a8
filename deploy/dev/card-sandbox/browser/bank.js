// Links a bank account. The page receives a payment method, never the account number.

import { call, openChannel } from './channel.js';

const { hello, send } = await openChannel();
const form = document.querySelector('form');

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const method = await call(hello.publishableKey, 'POST', '/v1/payment_methods', {
    type: 'us_bank_account',
    us_bank_account: {
      routing_number: '110000000',
      account_number: new FormData(form).get('account'),
      account_holder_type: 'individual',
    },
    billing_details: hello.billingDetails,
  });
  if (method.error) {
    document.querySelector('.error').textContent = method.error.message;
    return;
  }
  send('chosen', { method });
});

const cancel = () => send('cancel');
document.getElementById('cancel').addEventListener('click', cancel);
document.addEventListener('keydown', (event) => event.key === 'Escape' && cancel());
form.querySelector('button').focus();
