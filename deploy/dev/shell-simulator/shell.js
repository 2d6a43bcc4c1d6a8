/**
 * Simulates a native shell inside the page of the app: provides the transport, logs all messages and replies to requests. Runs before the
 * scripts of the app: the shell simulator injects it into every page, and browser tests with `addInitScript`.
 *
 *   shellPlayer.messages           all messages so far: { direction: "sent" | "received", eventName, detail, at }
 *   shellPlayer.replies            replies by the name of the request: a detail, a function that returns one, or null for none
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
    payment: { paymentMethodId: "pm_card_visa" },
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

  const receive = (eventName, detail) => {
    log("sent", eventName, detail);
    const reply = Object.hasOwn(replies, eventName) ? replies[eventName] : null;
    const replyDetail = typeof reply === "function" ? reply(detail) : reply;
    // A device replies later, too.
    if (replyDetail !== null) setTimeout(send, 0, eventName, replyDetail);
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
