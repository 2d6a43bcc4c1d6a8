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
  /** Shows the device's question about notifications, and registers the device. */
  requestPushNotifications(): Promise<void>;
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
  /** Opens a page of the app, for a link or a notification. Before the app listens, the message waits. */
  navigate(detail: ReceivedDetail<"navigate">): void;
  /** Enters the session of a single-use hand-over code. */
  enterSession(code: string): void;
}

/** Implements all messages of the catalog. `post` passes a text to the web view. */
export function createShell(services: Services, post: (text: string) => void): Shell {
  let isListening = false;
  const waiting: string[] = [];

  const send = <Name extends ReceivedName>(eventName: Name, detail: ReceivedDetail<Name>) => {
    const text = JSON.stringify({ eventName, detail });
    if (isListening) post(text);
    else waiting.push(text);
  };

  const handlers: Handlers = {
    ping: () => {
      isListening = true;
      send("ping", { device: services.device, version: services.version });
      for (const text of waiting.splice(0)) post(text);
    },
    session: ({ signedIn }) => {
      if (!signedIn) services.setConsumer(null);
    },
    user: (user) => services.setConsumer(user),
    logout: () => services.setConsumer(null),
    "route-change": (screen) => services.recordScreen(screen),
    "geo-request": async () => {
      const unavailable = { error: "unavailable" } as const;
      send("geo-request", await services.findPosition().catch(() => unavailable));
    },
    share: async (content) => send("share", { shared: await services.share(content).catch(() => false) }),
    payment: async ({ amount }) => {
      send("payment", { paymentMethodId: await services.pay(amount).catch(() => null) });
    },
    "external-link": ({ url }) => services.openUrl(url),
    "external-map-link": ({ url, destination }) => services.openMap(destination, url),
    "push-notification-request": () => services.requestPushNotifications(),
    "review-request": async () => {
      send("review-request", { shown: await services.requestReview().catch(() => false) });
    },
  };

  return {
    receive: async (text) => {
      try {
        await handle(handlers, text);
      } catch (error) {
        services.reportError(error);
      }
    },
    navigate: (detail) => send("navigate", detail),
    enterSession: (code) => send("session", { code }),
  };
}

/** Validates the message and calls its handler. Throws if the message is unknown or invalid. */
async function handle(handlers: Handlers, text: string): Promise<void> {
  const { eventName, detail } = JSON.parse(text) as { eventName: string; detail: unknown };
  if (!isSentName(eventName)) throw new Error(`unknown message: ${eventName}`);
  const handler = handlers[eventName] as (detail: unknown) => void | Promise<void>;
  await handler(parse(sentMessages[eventName], detail));
}

const isSentName = (name: string): name is SentName => Object.hasOwn(sentMessages, name);
