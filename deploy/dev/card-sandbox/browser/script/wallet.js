// The wallet's payment sheet and its button.

/** The result of `stripe.paymentRequest(options)`. */
class PaymentRequest extends Emitter {
  #key;
  #options;
  #isAvailabilityChecked = false;
  #sheet;

  constructor(key, options) {
    super();
    if (!options?.total || !options.country || !options.currency) {
      throw integrationError('paymentRequest needs country, currency and total.');
    }
    this.#key = key;
    this.#options = { ...options };
  }

  get #wallet() {
    return /^Apple/.test(navigator.vendor) ? 'apple_pay' : 'google_pay';
  }

  async canMakePayment() {
    this.#isAvailabilityChecked = true;
    const { country, currency } = this.#options;
    if (country !== 'US' || currency !== 'usd') return null;
    return { applePay: this.#wallet === 'apple_pay', googlePay: this.#wallet === 'google_pay', link: false };
  }

  isShowing() {
    return Boolean(this.#sheet);
  }

  update(options) {
    Object.assign(this.#options, options);
    this.#sheet?.send('update', this.#sheetData());
  }

  #sheetData() {
    return { total: this.#options.total, currency: this.#options.currency };
  }

  show() {
    if (!this.#isAvailabilityChecked) throw integrationError('Call canMakePayment() before show().');
    if (this.#sheet) throw integrationError('The payment sheet is already showing.');
    const hello = { publishableKey: this.#key, wallet: this.#wallet, ...this.#sheetData() };
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
    const complete = (status) => this.#sheet?.send('complete', status);
    const event = { ...payer, walletName: this.#wallet === 'apple_pay' ? 'applePay' : 'googlePay', complete };
    this.emit('paymentmethod', { ...event, paymentMethod: method, methodName: 'card' });
    if (this.hasListeners('token')) {
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

/** The result of `elements.create('paymentRequestButton', {paymentRequest})`. */
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
      let isPrevented = false;
      this.emit('click', { preventDefault: () => { isPrevented = true; } });
      if (!isPrevented) this.#request.show();
    });
  }

  mount(target) {
    const container = typeof target === 'string' ? document.querySelector(target) : target;
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
