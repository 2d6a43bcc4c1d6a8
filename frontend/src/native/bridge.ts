/**
 * Messages to the native shell and back. A sent message goes to Flutter's `callHandler` or React Native's `postMessage`; a
 * received one is dispatched again as a window event with its `eventName` and `detail` (specification section 7).
 */
import { parse } from "valibot";
import { report } from "@/shell/error-reports";
import {
  type ReceivedDetail,
  type ReceivedName,
  type RequestName,
  receivedMessages,
  type SentDetail,
  type SentName,
} from "./catalog";
import "./shell";

export function sendToShell<Name extends SentName>(name: Name, detail: SentDetail<Name>): void {
  if (window.flutter_inappwebview) callFlutter(name, detail);
  else window.ReactNativeWebView?.postMessage(JSON.stringify({ eventName: name, detail }));
}

function callFlutter(name: string, detail: unknown): void {
  const shell = window.flutter_inappwebview;
  if (shell?.callHandler) shell.callHandler(name, detail).catch(report);
  else {
    window.addEventListener("flutterInAppWebViewPlatformReady", () => callFlutter(name, detail), {
      once: true,
    });
  }
}

/**
 * Calls the listener for each valid message of the shell with this name, and `onInvalid` for each other one. Returns a function that
 * removes the listener.
 */
export function listenToShell<Name extends ReceivedName>(
  name: Name,
  listener: (detail: ReceivedDetail<Name>) => void,
  onInvalid: () => void = () => undefined,
): () => void {
  forwardMessages();
  const onEvent = (event: Event) => {
    const detail = validate(name, (event as CustomEvent<unknown>).detail);
    if (detail) listener(detail);
    else onInvalid();
  };
  window.addEventListener(name, onEvent);
  return () => window.removeEventListener(name, onEvent);
}

/**
 * Sends a message and waits for one reply with the same name. Resolves to null if the reply is invalid or does not arrive in time.
 * Later replies are ignored.
 */
export function requestFromShell<Name extends RequestName>(
  name: Name,
  detail: SentDetail<Name>,
  timeoutMs: number,
): Promise<ReceivedDetail<Name> | null> {
  return new Promise((resolve) => {
    const finish = (reply: ReceivedDetail<Name> | null) => {
      clearTimeout(timeout);
      stop();
      resolve(reply);
    };
    const timeout = setTimeout(finish, timeoutMs, null);
    const stop = listenToShell(name, finish, () => finish(null));
    sendToShell(name, detail);
  });
}

function validate<Name extends ReceivedName>(name: Name, detail: unknown): ReceivedDetail<Name> | undefined {
  try {
    return parse(receivedMessages[name], detail ?? {}) as ReceivedDetail<Name>;
  } catch {
    reportOnce(`invalid message of the native shell: ${name}`);
    return undefined;
  }
}

const reported = new Set<string>();

function reportOnce(message: string): void {
  if (reported.has(message)) return;
  reported.add(message);
  report(new Error(message));
}

let isForwarding = false;

/** Dispatches messages of the shell as window events. React Native dispatches them at the document on Android. */
function forwardMessages(): void {
  if (isForwarding) return;
  isForwarding = true;
  window.addEventListener("message", forward);
  document.addEventListener("message", (event) => forward(event as MessageEvent));
}

/** The shell runs its scripts in this page, so their origin is the page's. Messages without a source were dispatched by a script. */
function forward({ origin, source, data }: MessageEvent): void {
  if (source !== null && (source !== window || origin !== location.origin)) return;
  const message = parseMessage(data);
  if (!message) return;
  const { eventName, detail } = message;
  // Only names of the catalog: another one could be that of a browser event.
  if (Object.hasOwn(receivedMessages, eventName)) {
    window.dispatchEvent(new CustomEvent(eventName, { detail }));
  } else reportOnce(`unknown message of the native shell: ${eventName}`);
}

function parseMessage(data: unknown): { eventName: string; detail: unknown } | undefined {
  let parsed: unknown;
  try {
    parsed = typeof data === "string" ? JSON.parse(data) : data;
  } catch {
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null || !("eventName" in parsed)) return undefined;
  if (typeof parsed.eventName !== "string") return undefined;
  return { eventName: parsed.eventName, detail: "detail" in parsed ? parsed.detail : undefined };
}
