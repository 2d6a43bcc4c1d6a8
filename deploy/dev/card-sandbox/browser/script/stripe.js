// A stand-in for the provider's browser script: `window.Stripe(publishableKey)` with the methods that Order Ahead uses.
// Frames of the sandbox's origin handle card numbers; this script only opens them.

class Elements {
  #key;
  #fonts;
  #elements = new Map();

  constructor(key, { fonts = [] } = {}) {
    this.#key = key;
    this.#fonts = fonts;
  }

  create(type, options = {}) {
    if (type !== 'card' && type !== 'paymentRequestButton') throw integrationError(`The sandbox has no ${type} element.`);
    const element = type === 'card' ? new CardElement(this.#key, { ...options, fonts: this.#fonts }) : new PaymentRequestButton(options);
    this.#elements.set(type, element);
    element.on('destroyed', () => this.#elements.delete(type));
    return element;
  }

  getElement(type) {
    return this.#elements.get(type) ?? null;
  }

  update() {}
}

const KINDS = {
  seti: { path: 'setup_intents', name: 'setupIntent', failure: 'last_setup_error' },
  pi: { path: 'payment_intents', name: 'paymentIntent', failure: 'last_payment_error' },
};

/** Returns the path of the intent with a client secret, and the names of its fields. */
function intentOf(clientSecret) {
  const id = String(clientSecret).split('_secret_')[0];
  const kind = KINDS[id.split('_')[0]];
  if (!kind || id === clientSecret) throw integrationError('Invalid value for clientSecret.');
  return { ...kind, intentPath: `/v1/${kind.path}/${id}` };
}

function stripe(key) {
  if (!/^pk_/.test(key ?? '')) throw integrationError('Please call Stripe() with your publishable key.');
  /** Ids of linked bank accounts by client secret. */
  const linked = new Map();

  async function call(method, path, parameters) {
    const form = new URLSearchParams(toFormPairs(parameters));
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
    const { intentPath, name } = intentOf(clientSecret);
    const intent = await call('GET', intentPath, { client_secret: clientSecret });
    return intent.error ? intent : { [name]: intent };
  }

  /** Opens the authentication dialog if the intent requires it. Resolves with the intent after that. */
  async function handleRequiredAction(clientSecret, response) {
    const { name, failure } = intentOf(clientSecret);
    if (response.error) return { error: response.error };
    if (response.status !== 'requires_action') return { [name]: response };
    await new Promise((resolve) => {
      const frame = dialog('authenticate', 'Card authentication', { clientSecret });
      frame.on('done', () => resolve(frame.close()));
    });
    const result = await retrieve(clientSecret);
    const intent = result[name];
    if (intent?.status === 'requires_payment_method') return { error: { ...intent[failure], [intent.object]: intent } };
    return result;
  }

  /** Confirms with a card element, the id of a payment method, or the payment method that the intent already has. */
  async function confirm(clientSecret, data = {}, options = {}) {
    const { intentPath } = intentOf(clientSecret);
    const { payment_method: method, ...rest } = data;
    const parameters = { client_secret: clientSecret, ...rest };
    let response;
    if (method?.card instanceof CardElement) {
      if (!method.card.frame) throw integrationError('The card element is not mounted.');
      const billing = method.billing_details;
      response = await method.card.frame.request('confirm', { path: `${intentPath}/confirm`, parameters, billing_details: billing });
    } else if (typeof method === 'object') {
      const type = method.us_bank_account ? 'us_bank_account' : 'card';
      const body = { ...parameters, payment_method_data: { type, ...method } };
      response = await call('POST', `${intentPath}/confirm`, body);
    } else {
      response = await call('POST', `${intentPath}/confirm`, { ...parameters, payment_method: method });
    }
    if (options.handleActions === false && !response.error) return { [intentOf(clientSecret).name]: response };
    return handleRequiredAction(clientSecret, response);
  }

  async function handleNextAction(clientSecret) {
    const result = await retrieve(clientSecret);
    return result.error ? result : handleRequiredAction(clientSecret, Object.values(result)[0]);
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
    elements: (options) => new Elements(key, options),
    confirmCardSetup: confirm,
    confirmCardPayment: confirm,
    handleCardAction: handleNextAction,
    handleNextAction: ({ clientSecret }) => handleNextAction(clientSecret),
    retrieveSetupIntent: retrieve,
    retrievePaymentIntent: retrieve,
    paymentRequest: (options) => new PaymentRequest(key, options),
    collectBankAccountForSetup: collectBankAccount,
    collectBankAccountForPayment: collectBankAccount,
    confirmUsBankAccountSetup: confirmBank,
    confirmUsBankAccountPayment: confirmBank,
    async createPaymentMethod({ card, billing_details: billing }) {
      if (!(card instanceof CardElement) || !card.frame) throw integrationError('createPaymentMethod needs a mounted card element.');
      const method = await card.frame.request('createPaymentMethod', { billing_details: billing });
      return method.error ? method : { paymentMethod: method };
    },
  };
}

window.Stripe = Object.assign(stripe, { version: 'sandbox' });
