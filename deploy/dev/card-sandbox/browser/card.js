// The content of the card element: the only page with card numbers. It sends them to the sandbox only.

import { call, openChannel } from './channel.js';

const form = document.querySelector('form');
const field = Object.fromEntries(['number', 'expiry', 'cvc', 'zip'].map((id) => [id, document.getElementById(id)]));
const digits = (input) => input.value.replace(/\D/g, '');

const BRANDS = [
  { name: 'amex', starts: /^3[47]/, length: 15, cvc: 4, groups: [4, 6, 5] },
  { name: 'visa', starts: /^4/, length: 16, cvc: 3, groups: [4, 4, 4, 4] },
  { name: 'mastercard', starts: /^(5[1-5]|2[2-7])/, length: 16, cvc: 3, groups: [4, 4, 4, 4] },
  { name: 'discover', starts: /^6/, length: 16, cvc: 3, groups: [4, 4, 4, 4] },
];
const UNKNOWN = { name: 'unknown', length: 16, cvc: 3, groups: [4, 4, 4, 4] };
const brand = () => BRANDS.find(({ starts }) => starts.test(digits(field.number))) ?? UNKNOWN;

const { hello, send, on } = await openChannel();
const options = hello.options ?? {};
let touched = new Set();

const checks = {
  number() {
    const number = digits(field.number);
    if (number.length < brand().length) return ['incomplete_number', 'Your card number is incomplete.'];
    return luhn(number) ? null : ['invalid_number', 'Your card number is invalid.'];
  },
  expiry() {
    const { month, year } = expiry();
    if (digits(field.expiry).length < 4) return ['incomplete_expiry', "Your card's expiration date is incomplete."];
    const now = new Date();
    const past = year < now.getFullYear() || (year === now.getFullYear() && month < now.getMonth() + 1);
    if (year < now.getFullYear()) return ['invalid_expiry_year_past', "Your card's expiration year is in the past."];
    return past || month < 1 || month > 12
      ? ['invalid_expiry_month_past', "Your card's expiration date is in the past."]
      : null;
  },
  cvc: () =>
    digits(field.cvc).length < brand().cvc ? ['incomplete_cvc', "Your card's security code is incomplete."] : null,
  zip: () =>
    !options.hidePostalCode && digits(field.zip).length < 5
      ? ['incomplete_zip', 'Your postal code is incomplete.']
      : null,
};

function luhn(number) {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const doubled = index % 2 ? digit * 2 : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

function expiry() {
  const text = digits(field.expiry);
  return { month: Number(text.slice(0, 2)), year: 2000 + Number(text.slice(2, 4)) };
}

function format() {
  const { groups, length, cvc } = brand();
  let remaining = digits(field.number).slice(0, length);
  const parts = groups.map((size) => [remaining.slice(0, size), (remaining = remaining.slice(size))][0]).filter(Boolean);
  setValue(field.number, parts.join(' '));
  let date = digits(field.expiry).slice(0, 4);
  if (/^[2-9]$/.test(date)) date = `0${date}`;
  setValue(field.expiry, date.length > 2 ? `${date.slice(0, 2)} / ${date.slice(2)}` : date);
  setValue(field.cvc, digits(field.cvc).slice(0, cvc));
  setValue(field.zip, digits(field.zip).slice(0, 5));
}

/** Sets a value and keeps the caret after the same digit. */
function setValue(input, value) {
  if (input.value === value) return;
  const before = input.value.slice(0, input.selectionStart ?? 0).replace(/\D/g, '').length;
  input.value = value;
  if (document.activeElement !== input) return;
  let at = 0;
  for (let seen = 0; at < value.length && seen < before; at += 1) if (/\d/.test(value[at])) seen += 1;
  if (at >= value.replace(/\D+$/, '').length) at = value.length;
  input.setSelectionRange(at, at);
}

/** Returns the state for the page: completeness and errors, never the card data. */
function state() {
  const names = Object.keys(checks).filter((name) => name !== 'zip' || !options.hidePostalCode);
  const problems = names.map((name) => [name, checks[name]()]).filter(([, problem]) => problem);
  // An incomplete field is an error only after the person has left it.
  const shown = problems.find(([name, [code]]) => !code.startsWith('incomplete') || touched.has(name));
  for (const name of names) field[name].setAttribute('aria-invalid', String(shown?.[0] === name));
  return {
    elementType: 'card',
    brand: brand().name,
    complete: problems.length === 0,
    empty: names.every((name) => field[name].value === ''),
    error: shown ? { type: 'validation_error', code: shown[1][0], message: shown[1][1] } : undefined,
    value: { postalCode: options.hidePostalCode ? '' : digits(field.zip) },
  };
}

const order = Object.values(field);
form.addEventListener('input', ({ target }) => {
  format();
  const name = target.id;
  touched.delete(name);
  send('change', state());
  const next = order[order.indexOf(target) + 1];
  const atEnd = target.selectionStart === target.value.length;
  if (atEnd && checks[name]() === null && next && !next.closest('[hidden]')) next.focus();
});
form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') send('escape');
  const previous = order[order.indexOf(event.target) - 1];
  if (event.key === 'Backspace' && event.target.value === '' && previous) previous.focus();
});
form.addEventListener('focusin', () => send('focus'));
form.addEventListener('focusout', ({ target, relatedTarget }) => {
  if (target.value !== '') touched.add(target.id);
  send('change', state());
  if (!relatedTarget) send('blur');
});
form.addEventListener('submit', (event) => event.preventDefault());

/** Returns the parameters of the payment method, or the first error. */
function paymentMethodData(billing = {}) {
  touched = new Set(Object.keys(field));
  const current = state();
  send('change', current);
  if (!current.complete) return { error: current.error };
  const { month, year } = expiry();
  const address = { postal_code: current.value.postalCode || undefined, ...billing.address };
  return {
    type: 'card',
    card: { number: digits(field.number), exp_month: month, exp_year: year, cvc: digits(field.cvc) },
    billing_details: { ...billing, address },
  };
}

on('createPaymentMethod', async ({ billing_details: billing }) => {
  const data = paymentMethodData(billing);
  if (data.error) return data;
  return call(hello.publishableKey, 'POST', '/v1/payment_methods', data);
});
on('confirm', async ({ path, parameters, billing_details: billing }) => {
  const data = paymentMethodData(billing);
  if (data.error) return data;
  return call(hello.publishableKey, 'POST', path, { ...parameters, payment_method_data: data });
});
on('update', (changed) => {
  Object.assign(options, changed);
  applyOptions();
});
on('focus', () => field.number.focus());
on('blur', () => document.activeElement?.blur());
on('clear', () => {
  touched.clear();
  for (const input of order) input.value = '';
  send('change', state());
});

/** Applies the page's style to the inputs. Other properties are ignored, because the page is not trusted. */
function applyOptions() {
  const { base = {}, invalid = {} } = options.style ?? {};
  const set = (name, value) => value && document.documentElement.style.setProperty(name, value);
  set('--color', base.color);
  set('--font-family', base.fontFamily);
  set('--font-size', base.fontSize);
  set('--font-weight', base.fontWeight);
  set('--line-height', base.lineHeight);
  set('--letter-spacing', base.letterSpacing);
  set('--icon', base.iconColor);
  set('--placeholder', base['::placeholder']?.color);
  set('--invalid', invalid.color);
  form.toggleAttribute('data-no-zip', Boolean(options.hidePostalCode));
  document.querySelector('.zip').hidden = Boolean(options.hidePostalCode);
  for (const input of order) input.disabled = Boolean(options.disabled);
}

/** Loads the page's fonts. A font that fails to load is left out. */
for (const { family, src, weight, style } of options.fonts ?? []) {
  document.fonts.add(new FontFace(family, src, { ...(weight && { weight }), ...(style && { style }) }));
}

applyOptions();
new ResizeObserver(() => send('resize', { height: Math.ceil(form.getBoundingClientRect().height) })).observe(form);
send('ready');
