// The wallet's payment sheet, and its button.

/** `stripe.paymentRequest(options)`: the wallet's sheet. */
class PaymentRequest extends Emitter {
  #key;
  #options;
  #asked = false;
  #sheet;

  constructor(key, options) {
    super();
    if (!options?.total || !options.country || !options.currency) {
      throw integration('paymentRequest needs country, currency and total.');
    }
    this.#key = key;
    this.#options = { ...options };
  }

  get #wallet() {
    return /^Apple/.test(navigator.vendor) ? 'apple_pay' : 'google_pay';
  }

  async canMakePayment() {
    this.#asked = true;
    const { country, currency } = this.#options;
    if (country !== 'US' || currency !== 'usd') return null;
    return { applePay: this.#wallet === 'apple_pay', googlePay: this.#wallet === 'google_pay', link: false };
  }

  isShowing() {
    return Boolean(this.#sheet);
  }

  update(options) {
    Object.assign(this.#options, options);
    this.#sheet?.tell('update', this.#shown());
  }

  #shown() {
    return { total: this.#options.total, currency: this.#options.currency };
  }

  show() {
    if (!this.#asked) throw integration('Ask canMakePayment() before you call show().');
    if (this.#sheet) throw integration('The payment sheet is already showing.');
    const hello = { publishableKey: this.#key, wallet: this.#wallet, ...this.#shown() };
    const sheet = dialog('sheet', 'Payment sheet', hello);
    this.#sheet = sheet;
    sheet.on('cancel', () => {
      this.#close();
      this.emit('cancel');
    });
    sheet.on('closed', () => this.#close());
    sheet.on('chosen', ({ method, token }) => this.#chosen(method, token));
  }

  #chosen(method, token) {
    const payer = { payerName: method.billing_details.name, payerEmail: undefined, payerPhone: undefined };
    const complete = (status) => this.#sheet?.tell('complete', status);
    const event = { ...payer, walletName: this.#wallet === 'apple_pay' ? 'applePay' : 'googlePay', complete };
    this.emit('paymentmethod', { ...event, paymentMethod: method, methodName: 'card' });
    if (this.listens('token')) {
      const card = { brand: method.card.brand, last4: method.card.last4 };
      this.emit('token', { ...event, token: { id: token, object: 'token', type: 'card', card } });
    }
  }

  abort() {
    this.#close();
  }

  #close() {
    this.#sheet?.close();
    this.#sheet = undefined;
  }
}

/** `elements.create('paymentRequestButton', {paymentRequest})`. */
class PaymentRequestButton extends Emitter {
  #request;
  #button = document.createElement('button');

  constructor({ paymentRequest }) {
    super();
    this.#request = paymentRequest;
    this.#button.type = 'button';
    this.#button.textContent = 'Pay with your wallet';
    this.#button.style.cssText =
      'width:100%;min-height:48px;border:0;border-radius:12px;background:#111;color:#fff;font:600 16px system-ui';
    this.#button.addEventListener('click', () => {
      let wanted = true;
      this.emit('click', { preventDefault: () => { wanted = false; } });
      if (wanted) this.#request.show();
    });
  }

  mount(where) {
    const container = typeof where === 'string' ? document.querySelector(where) : where;
    container.replaceChildren(this.#button);
    queueMicrotask(() => this.emit('ready', this));
  }

  unmount() {
    this.#button.remove();
  }

  destroy() {
    this.unmount();
  }
}
