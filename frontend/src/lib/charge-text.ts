/** Returns whether a sentence already states what happened to the payment, so that a screen states it once. */
export const statesPayment = (text: string): boolean =>
  /\b(?:weren't|wasn't|were) charged\b|\bdebited\b/.test(text);
