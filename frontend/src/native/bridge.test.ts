import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { report } from "@/shell/error-reports";
import { listenToShell, requestFromShell, sendToShell } from "./bridge";

vi.mock("@/shell/error-reports", () => ({ report: vi.fn() }));

beforeEach(() => vi.mocked(report).mockClear());

afterEach(() => {
  delete window.ReactNativeWebView;
  delete window.flutter_inappwebview;
});

/** Dispatches a message like `webView.postMessage` of React Native, which has no origin and no source. */
const receive = (data: unknown, target: EventTarget = window) =>
  target.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(data) }));

it("sends nothing without a shell", () => {
  expect(() => sendToShell("logout", {})).not.toThrow();
});

it("sends to Flutter once its handlers are ready", () => {
  window.flutter_inappwebview = {};
  sendToShell("external-link", { url: "tel:+12135550100" });
  const callHandler = vi.fn(async () => undefined);
  window.flutter_inappwebview.callHandler = callHandler;
  window.dispatchEvent(new Event("flutterInAppWebViewPlatformReady"));
  expect(callHandler).toHaveBeenCalledExactlyOnceWith("external-link", { url: "tel:+12135550100" });
});

it.each([
  ["the window, as on iOS", () => window],
  ["the document, as on Android", () => document],
])("receives messages at %s", (_, target) => {
  const listener = vi.fn();
  const stop = listenToShell("navigate", listener);
  receive({ eventName: "navigate", detail: { pathname: "/cart", replace: true } }, target());
  stop();
  receive({ eventName: "navigate", detail: { pathname: "/explore" } }, target());
  expect(listener).toHaveBeenCalledExactlyOnceWith({ pathname: "/cart", replace: true });
});

it("ignores invalid details, and reports them once", () => {
  const listener = vi.fn();
  const stop = listenToShell("session", listener);
  receive({ eventName: "session", detail: { code: 7 } });
  window.dispatchEvent(new CustomEvent("session", { detail: {} }));
  expect(listener).not.toHaveBeenCalled();
  expect(report).toHaveBeenCalledOnce();
  stop();
});

it("ignores unknown messages, and reports each name once", () => {
  const stop = listenToShell("ping", vi.fn());
  const onClick = vi.fn();
  window.addEventListener("click", onClick);
  receive({ eventName: "click" });
  receive({ eventName: "click" });
  receive({ eventName: "toString" });
  receive({ other: "message" });
  window.removeEventListener("click", onClick);
  stop();
  expect(onClick).not.toHaveBeenCalled();
  expect(report).toHaveBeenCalledTimes(2);
});

it("rejects a request after its timeout", async () => {
  vi.useFakeTimers();
  window.ReactNativeWebView = { postMessage: vi.fn() };
  const reply = requestFromShell("share", { url: "https://order.example.com" }, 1000);
  await vi.advanceTimersByTimeAsync(1000);
  await expect(reply).resolves.toBeNull();
});
