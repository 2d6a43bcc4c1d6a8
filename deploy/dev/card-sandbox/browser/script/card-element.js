// The card element as the page sees it: a frame, and what it says about its state.

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

  mount(where) {
    const container = typeof where === 'string' ? document.querySelector(where) : where;
    if (!container) throw integration(`The selector you specified (${where}) applies to no DOM elements.`);
    if (this.#container) this.unmount();
    this.#container = container;
    const hello = () => ({ publishableKey: this.#key, options: this.#options });
    this.frame = new Frame('card', 'Secure card payment input frame', hello);
    Object.assign(this.frame.iframe.style, {
      display: 'block', width: '100%', height: '66px', border: '0', background: 'transparent', colorScheme: 'normal',
    });
    this.#listen();
    this.#mark({ empty: true });
    container.replaceChildren(this.frame.iframe);
  }

  #listen() {
    this.frame.on('ready', () => this.emit('ready', this));
    this.frame.on('change', (state) => {
      this.#mark(state);
      this.emit('change', state);
    });
    this.frame.on('focus', () => this.#focused(true));
    this.frame.on('blur', () => this.#focused(false));
    this.frame.on('escape', () => this.emit('escape', { elementType: 'card' }));
    this.frame.on('resize', ({ height }) => {
      this.frame.iframe.style.height = `${height}px`;
    });
  }

  #focused(is) {
    this.#container?.classList.toggle(this.#class('focus'), is);
    this.emit(is ? 'focus' : 'blur', { elementType: 'card' });
  }

  #class(name) {
    return this.#options.classes?.[name] ?? (name === 'base' ? 'StripeElement' : `StripeElement--${name}`);
  }

  #mark({ empty, complete, error }) {
    const classes = this.#container.classList;
    classes.add(this.#class('base'));
    classes.toggle(this.#class('empty'), Boolean(empty));
    classes.toggle(this.#class('complete'), Boolean(complete));
    classes.toggle(this.#class('invalid'), Boolean(error));
  }

  update(options) {
    Object.assign(this.#options, structuredClone(options));
    this.frame?.tell('update', options);
  }

  focus() {
    this.frame?.iframe.focus();
    this.frame?.tell('focus');
  }

  blur() {
    this.frame?.tell('blur');
  }

  clear() {
    this.frame?.tell('clear');
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
