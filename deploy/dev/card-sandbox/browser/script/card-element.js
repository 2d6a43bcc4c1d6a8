// The card element of the page: a frame, and the events about its state.

/** The card element: `elements.create('card', options)`. */
class CardElement extends Emitter {
  #options;
  #container;
  #key;

  constructor(key, options) {
    super();
    this.#key = key;
    this.#options = structuredClone(options);
  }

  mount(target) {
    const container = typeof target === 'string' ? document.querySelector(target) : target;
    if (!container) throw integrationError(`The selector you specified (${target}) applies to no DOM elements.`);
    if (this.#container) this.unmount();
    this.#container = container;
    const hello = () => ({ publishableKey: this.#key, options: this.#options });
    this.frame = new Frame('card', 'Secure card payment input frame', hello);
    Object.assign(this.frame.iframe.style, {
      display: 'block', width: '100%', height: '66px', border: '0', background: 'transparent', colorScheme: 'normal',
    });
    this.#listen();
    this.#setClasses({ empty: true });
    container.replaceChildren(this.frame.iframe);
  }

  #listen() {
    this.frame.on('ready', () => this.emit('ready', this));
    this.frame.on('change', (state) => {
      this.#setClasses(state);
      this.emit('change', state);
    });
    this.frame.on('focus', () => this.#setFocused(true));
    this.frame.on('blur', () => this.#setFocused(false));
    this.frame.on('escape', () => this.emit('escape', { elementType: 'card' }));
    this.frame.on('resize', ({ height }) => {
      this.frame.iframe.style.height = `${height}px`;
    });
  }

  #setFocused(focused) {
    this.#container?.classList.toggle(this.#class('focus'), focused);
    this.emit(focused ? 'focus' : 'blur', { elementType: 'card' });
  }

  #class(name) {
    return this.#options.classes?.[name] ?? (name === 'base' ? 'StripeElement' : `StripeElement--${name}`);
  }

  #setClasses({ empty, complete, error }) {
    const classes = this.#container.classList;
    classes.add(this.#class('base'));
    classes.toggle(this.#class('empty'), Boolean(empty));
    classes.toggle(this.#class('complete'), Boolean(complete));
    classes.toggle(this.#class('invalid'), Boolean(error));
  }

  update(options) {
    Object.assign(this.#options, structuredClone(options));
    this.frame?.send('update', options);
  }

  focus() {
    this.frame?.iframe.focus();
    this.frame?.send('focus');
  }

  blur() {
    this.frame?.send('blur');
  }

  clear() {
    this.frame?.send('clear');
  }

  unmount() {
    this.frame?.iframe.remove();
    for (const name of ['base', 'empty', 'complete', 'invalid', 'focus']) {
      this.#container?.classList.remove(this.#class(name));
    }
    this.frame = undefined;
    this.#container = undefined;
  }

  destroy() {
    this.unmount();
    this.emit('destroyed');
  }
}
