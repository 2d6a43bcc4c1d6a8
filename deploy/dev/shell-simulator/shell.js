/**
 * Simulates a native shell inside the page of the app: provides the transport, logs all messages and replies to requests. Runs before the
 * scripts of the app: the shell simulator injects it into every page, and browser tests with `addInitScript`.
 *
 *   shellPlayer.messages           all messages so far: { direction: "sent" | "received", eventName, detail, at }
 *   shellPlayer.replies            replies by the name of the request: a detail, a function that returns one, or null for none; the
 *                                  wallet pays with the test card in `card`
 *   shellPlayer.send(name, detail) sends a message to the app
 */
(() => {
  const settings = { transport: "react-native", device: "ios", version: "3.1.3" };
  try {
    // Set by the page of the shell simulator, in the same origin.
    Object.assign(settings, JSON.parse(localStorage.getItem("shell-simulator") ?? "{}"));
  } catch {}

  const messages = [];
  const log = (direction, eventName, detail) => {
    const message = { direction, eventName, detail, at: new Date().toISOString() };
    messages.push(message);
    window.dispatchEvent(new CustomEvent("shell-simulator", { detail: message }));
  };

  const replies = {
    ping: () => ({ device: settings.device, version: settings.version }),
    "geo-request": { latitude: 34.0838, longitude: -118.2731 },
    share: { shared: true },
    payment: { card: "tok_visa" },
    "review-request": { shown: true },
    ...settings.replies,
  };

  const send = (eventName, detail = {}) => {
    log("received", eventName, detail);
    // A Flutter shell evaluates a script that dispatches an event; React Native dispatches a message.
    const event =
      settings.transport === "flutter"
        ? new CustomEvent(eventName, { detail })
        : new MessageEvent("message", { data: JSON.stringify({ eventName, detail }) });
    window.dispatchEvent(event);
  };

  /** Creates a payment method of the device's wallet at the payment provider, as the provider's library does on a device. */
  const createPaymentMethod = async (card) => {
    const headers = { "x-correlation-id": crypto.randomUUID() };
    const { data } = await (await fetch("/api/stripe/script", { headers })).json();
    const wallet = settings.device === "ios" ? "apple_pay" : "google_pay";
    const response = await fetch(new URL("/v1/payment_methods", data.scriptUrl), {
      method: "POST",
      headers: { authorization: `Bearer ${data.publishableKey}` },
      body: new URLSearchParams({ type: "card", "card[token]": card, "card[wallet]": wallet }),
    });
    return { paymentMethodId: (await response.json()).id };
  };

  const receive = async (eventName, detail) => {
    log("sent", eventName, detail);
    const reply = Object.hasOwn(replies, eventName) ? replies[eventName] : null;
    const replyDetail = typeof reply === "function" ? reply(detail) : reply;
    if (replyDetail === null) return;
    const { card } = replyDetail;
    const finalDetail = eventName === "payment" && card ? await createPaymentMethod(card) : replyDetail;
    // A device replies later, too.
    setTimeout(send, 0, eventName, finalDetail);
  };

  if (settings.transport === "flutter") {
    window.flutter_inappwebview = { callHandler: async (name, detail) => receive(name, detail) };
  } else {
    window.ReactNativeWebView = {
      postMessage: (text) => {
        const { eventName, detail } = JSON.parse(text);
        receive(eventName, detail);
      },
    };
  }
  window.shellPlayer = { messages, replies, send, settings };
})();
