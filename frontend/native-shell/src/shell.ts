import { parse } from "valibot";
import {
  type ReceivedDetail,
  type ReceivedName,
  type SentDetail,
  type SentName,
  sentMessages,
} from "../../src/native/catalog";

/** What the device does for the app. */
export interface Services {
  device: ReceivedDetail<"ping">["device"];
  /** The version of the native app. */
  version: string;
  /** Opens a web page, a phone number or an email address outside of the app. */
  openUrl(url: string): Promise<void>;
  /** Opens directions in a map app. `url` is a web page with the same directions. */
  openMap(destination: string, url: string): Promise<void>;
  /** Resolves to whether the consumer shared. */
  share(content: SentDetail<"share">): Promise<boolean>;
  /** Asks for permission if needed. */
  findPosition(): Promise<ReceivedDetail<"geo-request">>;
  /** Shows Apple Pay or Google Pay with an amount in cents. Resolves to the provider's payment method, or null if canceled. */
  pay(amount: number): Promise<string | null>;
  /** Shows the device's question about notifications, and registers the device. Resolves to its token, or null if the consumer declined. */
  requestPushNotifications(): Promise<string | null>;
  /** Resolves to the token if the consumer accepted notifications before, otherwise to null. Asks nothing. */
  findPushToken(): Promise<string | null>;
  /** Resolves to whether the app store showed its dialog. */
  requestReview(): Promise<boolean>;
  /** Records the screen for analytics. */
  recordScreen(screen: SentDetail<"route-change">): void;
  /** Stores the signed-in consumer, for example for notifications; null after a sign-out. */
  setConsumer(consumer: SentDetail<"user"> | null): void;
  reportError(error: unknown): void;
}

type Handlers = { [Name in SentName]: (detail: SentDetail<Name>) => void | Promise<void> };

export interface Shell {
  /** Handles a message of the app. */
  receive(text: string): Promise<void>;
  /** The web view loads a page. Until the app listens there, messages wait, and replies to the page before are dropped. */
  startLoading(): void;
  /** Opens a page of the app, for a link or a notification. */
  navigate(detail: ReceivedDetail<"navigate">): void;
  /** Enters the session of a single-use hand-over code. */
  enterSession(code: string): void;
}

/** Implements all messages of the catalog. `post` passes a text to the web view. */
export function createShell(services: Services, post: (text: string) => void): Shell {
  let isListening = false;
  /** Counts the pages that the web view has loaded. */
  let page = 0;
  const waiting: string[] = [];

  const send = <Name extends ReceivedName>(eventName: Name, detail: ReceivedDetail<Name>) => {
    const text = JSON.stringify({ eventName, detail });
    if (isListening) post(text);
    else waiting.push(text);
  };

  /** Replies to a request of the page that is loaded now. */
  const reply = async <Name extends ReceivedName>(eventName: Name, detail: Promise<ReceivedDetail<Name>>) => {
    const requestedFrom = page;
    const resolved = await detail;
    if (requestedFrom === page) send(eventName, resolved);
  };

  const handlers: Handlers = {
    ping: () => {
      // Another page, whose load was not reported in time.
      if (isListening) page += 1;
      isListening = true;
      send("ping", { device: services.device, version: services.version });
      for (const text of waiting.splice(0)) post(text);
    },
    session: async ({ signedIn }) => {
      if (!signedIn) return services.setConsumer(null);
      const token = await services.findPushToken();
      if (token !== null) send("push-notification-request", { token });
    },
    user: (user) => services.setConsumer(user),
    logout: () => services.setConsumer(null),
    "route-change": (screen) => services.recordScreen(screen),
    "geo-request": () =>
      reply(
        "geo-request",
        services.findPosition().catch(() => ({ error: "unavailable" })),
      ),
    share: (content) => reply("share", toReply("shared", services.share(content), false)),
    payment: ({ amount }) => reply("payment", toReply("paymentMethodId", services.pay(amount), null)),
    "external-link": ({ url }) => services.openUrl(url),
    "external-map-link": ({ url, destination }) => services.openMap(destination, url),
    "push-notification-request": () =>
      reply("push-notification-request", toReply("token", services.requestPushNotifications(), null)),
    "review-request": () => reply("review-request", toReply("shown", services.requestReview(), false)),
  };

  return {
    receive: async (text) => {
      try {
        await handle(handlers, text);
      } catch (error) {
        services.reportError(error);
      }
    },
    startLoading: () => {
      isListening = false;
      page += 1;
    },
    navigate: (detail) => send("navigate", detail),
    enterSession: (code) => send("session", { code }),
  };
}

/** Returns the detail of a reply: the result of the device, or what is sent if that fails. */
async function toReply<Field extends string, Result>(field: Field, result: Promise<Result>, failed: Result) {
  return { [field]: await result.catch(() => failed) } as Record<Field, Result>;
}

/** Validates the message and calls its handler. Throws if the message is unknown or invalid. */
async function handle(handlers: Handlers, text: string): Promise<void> {
  const { eventName, detail } = JSON.parse(text) as { eventName: string; detail: unknown };
  if (!isSentName(eventName)) throw new Error(`unknown message: ${eventName}`);
  const handler = handlers[eventName] as (detail: unknown) => void | Promise<void>;
  await handler(parse(sentMessages[eventName], detail));
}

const isSentName = (name: string): name is SentName => Object.hasOwn(sentMessages, name);
