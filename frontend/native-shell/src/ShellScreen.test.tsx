import { act, render } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Linking, PermissionsAndroid, Platform, pressBack, Share } from "../testing/react-native";
import { webView } from "../testing/react-native-webview";
import { ShellScreen } from "./ShellScreen";
import { createServices } from "./services";

const ORIGIN = "https://order.example.com";

function setUp(code?: string) {
  const modules = {
    version: "4.0.0",
    findPosition: vi.fn(async () => ({ latitude: 34.1, longitude: -118.3 })),
    pay: vi.fn(async () => "pm_1"),
    requestReview: vi.fn(async () => true),
    registerForPush: vi.fn(async () => "token-1"),
    findPushToken: vi.fn(async () => null),
    recordScreen: vi.fn(),
    setConsumer: vi.fn(),
    reportError: vi.fn(),
  };
  webView.postMessage.mockClear();
  webView.goBack.mockClear();
  const services = createServices(modules);
  const screen = (code?: string) => (
    <ShellScreen origin={ORIGIN} services={services} link="/orders/1" {...(code ? { code } : {})} />
  );
  const { rerender } = render(screen(code));
  return { ...modules, setCode: (next: string) => rerender(screen(next)) };
}

/** The app calls `window.ReactNativeWebView.postMessage`. */
async function message(eventName: string, detail: object = {}, url = `${ORIGIN}/`) {
  const nativeEvent = { url, data: JSON.stringify({ eventName, detail }) };
  await act(async () => webView.props.onMessage?.({ nativeEvent } as never));
}

const replies = () => webView.postMessage.mock.calls.map(([text]) => JSON.parse(text));

it("opens the link once the app listens, and passes replies to the web view", async () => {
  setUp();
  expect(webView.props.source).toEqual({ uri: ORIGIN });
  await message("ping", { protocolVersion: 1 });
  await message("payment", { amount: 500 });
  await vi.waitFor(() => expect(replies()).toHaveLength(3));
  expect(replies()).toEqual([
    { eventName: "ping", detail: { device: "android", version: "4.0.0" } },
    { eventName: "navigate", detail: { pathname: "/orders/1" } },
    { eventName: "payment", detail: { paymentMethodId: "pm_1" } },
  ]);
});

it("starts with a hand-over code, and passes a later one to the app when it listens", async () => {
  const { setCode } = setUp("code 1");
  expect(webView.props.source).toEqual({ uri: `${ORIGIN}/?session=code%201` });
  await message("ping", { protocolVersion: 1 });
  act(() => webView.props.onLoadStart?.({} as never));
  setCode("code-2");
  expect(replies().map(({ eventName }) => eventName)).toEqual(["ping", "navigate"]);
  await message("ping", { protocolVersion: 1 });
  expect(replies().at(-1)).toEqual({ eventName: "session", detail: { code: "code-2" } });
});

it("ignores messages of other sites", async () => {
  const { pay } = setUp();
  await message("payment", { amount: 500 }, "https://order.example.com.evil.example/");
  expect(pay).not.toHaveBeenCalled();
});

it("opens other sites outside, and frames of other sites inside", () => {
  setUp();
  const load = (url: string, isTopFrame: boolean) =>
    webView.props.onShouldStartLoadWithRequest?.({ url, isTopFrame } as never);
  expect(load(`${ORIGIN}/cart`, true)).toBe(true);
  expect(load("https://js.provider.example/card", false)).toBe(true);
  expect(load("https://news.example/", true)).toBe(false);
  expect(Linking.openURL).toHaveBeenCalledExactlyOnceWith("https://news.example/");
});

it("goes back in the web view before it leaves the app", async () => {
  setUp();
  expect(pressBack()).toBe(false);
  await act(async () => webView.props.onNavigationStateChange?.({ canGoBack: true } as never));
  expect(pressBack()).toBe(true);
  expect(webView.goBack).toHaveBeenCalledOnce();
});

it("asks for permissions on Android first", async () => {
  const modules = setUp();
  await message("ping", { protocolVersion: 1 });
  vi.mocked(PermissionsAndroid.request).mockResolvedValueOnce("denied").mockResolvedValueOnce("denied");
  await message("geo-request");
  await message("push-notification-request");
  await vi.waitFor(() =>
    expect(replies().slice(-2)).toEqual([
      { eventName: "geo-request", detail: { error: "denied" } },
      { eventName: "push-notification-request", detail: { token: null } },
    ]),
  );
  expect(modules.findPosition).not.toHaveBeenCalled();
  expect(modules.registerForPush).not.toHaveBeenCalled();
  vi.mocked(PermissionsAndroid.request).mockResolvedValue("granted");
  await message("push-notification-request");
  await vi.waitFor(() =>
    expect(replies().at(-1)).toEqual({
      eventName: "push-notification-request",
      detail: { token: "token-1" },
    }),
  );
});

it("opens the web page if there is no map app, and shares text with its address", async () => {
  setUp();
  vi.mocked(Linking.openURL).mockReset().mockRejectedValueOnce(new Error("no app")).mockResolvedValue(true);
  await message("external-map-link", { url: "https://maps.example/dir", destination: "Sunset, 1 Main St" });
  await vi.waitFor(() => expect(Linking.openURL).toHaveBeenCalledTimes(2));
  expect(vi.mocked(Linking.openURL).mock.calls).toEqual([
    ["google.navigation:q=Sunset%2C%201%20Main%20St"],
    ["https://maps.example/dir"],
  ]);
  expect(Platform.OS).toBe("android");
  await message("share", { text: "A gift", url: "https://order.example.com/wallet/redeem" });
  await vi.waitFor(() =>
    expect(Share.share).toHaveBeenCalledWith({ message: "A gift https://order.example.com/wallet/redeem" }),
  );
});
