// A stand-in for the provider's browser script: `window.Stripe(publishableKey)` with the parts that Order Ahead uses.
// Everything that concerns card numbers happens in frames of the sandbox's own origin; this script only opens them.

class Elements {
  #key;
  #made = new Map();

  constructor(key) {
    this.#key = key;
  }

  create(type, options = {}) {
    if (type !== 'card' && type !== 'paymentRequestButton') throw integration(`The sandbox has no ${type} element.`);
    const element = type === 'card' ? new CardElement(this.#key, options) : new PaymentRequestButton(options);
    this.#made.set(type, element);
    element.on('destroyed', () => this.#made.delete(type));
    return element;
  }

  getElement(type) {
    return this.#made.get(type) ?? null;
  }

  update() {}
}

const KINDS = {
  seti: { path: 'setup_intents', name: 'setupIntent', failure: 'last_setup_error' },
  pi: { path: 'payment_intents', name: 'paymentIntent', failure: 'last_payment_error' },
};

/** The intent that a client secret belongs to. */
function intentOf(clientSecret) {
  const id = String(clientSecret).split('_secret_')[0];
  const kind = KINDS[id.split('_')[0]];
  if (!kind || id === clientSecret) throw integration('Invalid value for clientSecret.');
  return { ...kind, address: `/v1/${kind.path}/${id}` };
}

function stripe(key) {
  if (!/^pk_/.test(key ?? '')) throw integration('Please call Stripe() with your publishable key.');
  const linked = new Map();

  async function call(method, path, parameters) {
    const form = new URLSearchParams(flat(parameters));
    const url = `${ORIGIN}${path}${method === 'GET' ? `?${form}` : ''}`;
    try {
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(url, { method, headers, body: method === 'GET' ? undefined : form });
      return await response.json();
    } catch {
      const message = 'We could not reach the card provider. Please try again.';
      return { error: { type: 'api_connection_error', message } };
    }
  }

  async function retrieve(clientSecret) {
    const { address, name } = intentOf(clientSecret);
    const answer = await call('GET', address, { client_secret: clientSecret });
    return answer.error ? answer : { [name]: answer };
  }

  /** Shows the bank's question where the intent waits for one; resolves with what became of the intent. */
  async function carryThrough(clientSecret, answer) {
    const { name, failure } = intentOf(clientSecret);
    if (answer.error) return { error: answer.error };
    if (answer.status !== 'requires_action') return { [name]: answer };
    await new Promise((resolve) => {
      const frame = dialog('authenticate', 'Card authentication', { clientSecret });
      frame.on('done', () => resolve(frame.close()));
    });
    const result = await retrieve(clientSecret);
    const intent = result[name];
    if (intent?.status === 'requires_payment_method') return { error: { ...intent[failure], [intent.object]: intent } };
    return result;
  }

  /** Confirms with an element, with a payment method's id, or with what the intent already has. */
  async function confirm(clientSecret, data = {}, options = {}) {
    const { address } = intentOf(clientSecret);
    const { payment_method: method, ...rest } = data;
    const parameters = { client_secret: clientSecret, ...rest };
    let answer;
    if (method?.card instanceof CardElement) {
      if (!method.card.frame) throw integration('The card element is not mounted.');
      const billing = method.billing_details;
      answer = await method.card.frame.ask('confirm', { path: `${address}/confirm`, parameters, billing_details: billing });
    } else if (typeof method === 'object') {
      const type = method.us_bank_account ? 'us_bank_account' : 'card';
      const given = { ...parameters, payment_method_data: { type, ...method } };
      answer = await call('POST', `${address}/confirm`, given);
    } else {
      answer = await call('POST', `${address}/confirm`, { ...parameters, payment_method: method });
    }
    if (options.handleActions === false && !answer.error) return { [intentOf(clientSecret).name]: answer };
    return carryThrough(clientSecret, answer);
  }

  async function handle(clientSecret) {
    const result = await retrieve(clientSecret);
    return result.error ? result : carryThrough(clientSecret, Object.values(result)[0]);
  }

  async function collectBankAccount({ clientSecret, params = {} }) {
    const hello = { publishableKey: key, billingDetails: params.payment_method_data?.billing_details ?? {} };
    const frame = dialog('bank', 'Link a bank account', hello);
    const method = await new Promise((resolve) => {
      frame.on('chosen', (chosen) => resolve(chosen.method));
      frame.on('cancel', () => resolve(null));
    });
    frame.close();
    const result = await retrieve(clientSecret);
    if (result.error || !method) return result;
    linked.set(clientSecret, method.id);
    const [name, intent] = Object.entries(result)[0];
    return { [name]: { ...intent, status: 'requires_confirmation', payment_method: method } };
  }

  const confirmBank = (clientSecret, data = {}) =>
    confirm(clientSecret, { payment_method: linked.get(clientSecret), ...data });

  return {
    elements: () => new Elements(key),
    confirmCardSetup: confirm,
    confirmCardPayment: confirm,
    handleCardAction: handle,
    handleNextAction: ({ clientSecret }) => handle(clientSecret),
    retrieveSetupIntent: retrieve,
    retrievePaymentIntent: retrieve,
    paymentRequest: (options) => new PaymentRequest(key, options),
    collectBankAccountForSetup: collectBankAccount,
    collectBankAccountForPayment: collectBankAccount,
    confirmUsBankAccountSetup: confirmBank,
    confirmUsBankAccountPayment: confirmBank,
    async createPaymentMethod({ card, billing_details: billing }) {
      if (!(card instanceof CardElement) || !card.frame) throw integration('createPaymentMethod needs a mounted card element.');
      const answer = await card.frame.ask('createPaymentMethod', { billing_details: billing });
      return answer.error ? answer : { paymentMethod: answer };
    },
  };
}

window.Stripe = Object.assign(stripe, { version: 'sandbox' });
