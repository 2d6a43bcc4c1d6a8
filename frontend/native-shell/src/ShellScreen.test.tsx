import { act, render } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { Linking, PermissionsAndroid, Platform, pressBack, Share, toResults } from "../testing/react-native";
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
  webView.reload.mockClear();
  const services = createServices(modules);
  let props = { link: { path: "/orders/1" }, ...(code ? { code } : {}) };
  const screen = () => <ShellScreen origin={ORIGIN} services={services} {...props} />;
  const { rerender } = render(screen());
  const setProps = (next: Partial<typeof props>) => {
    props = { ...props, ...next };
    rerender(screen());
  };
  return { ...modules, setProps };
}

/** The app calls `window.ReactNativeWebView.postMessage`. */
async function message(eventName: string, detail: object = {}, url = `${ORIGIN}/`) {
  const nativeEvent = { url, data: JSON.stringify({ eventName, detail }) };
  await act(async () => webView.props.onMessage?.({ nativeEvent } as never));
}

/** Runs the script that the web view injects at the start of each document. */
async function loadDocument() {
  const posted: string[] = [];
  const script = webView.props.injectedJavaScriptBeforeContentLoaded ?? "";
  new Function("window", "document", script)(
    { ReactNativeWebView: { postMessage: (data: string) => posted.push(data) } },
    { readyState: "loading" },
  );
  for (const data of posted) {
    await act(async () => webView.props.onMessage?.({ nativeEvent: { url: ORIGIN, data } } as never));
  }
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
  const { setProps } = setUp("code 1");
  expect(webView.props.source).toEqual({ uri: `${ORIGIN}/?session=code%201` });
  await message("ping", { protocolVersion: 1 });
  await loadDocument();
  setProps({ code: "code-2" });
  expect(replies().map(({ eventName }) => eventName)).toEqual(["ping", "navigate"]);
  await message("ping", { protocolVersion: 1 });
  expect(replies().at(-1)).toEqual({ eventName: "session", detail: { code: "code-2" } });
});

it("replies after a change of the history, which Android reports as the start of a load", async () => {
  setUp();
  await message("ping", { protocolVersion: 1 });
  const nativeEvent = { url: `${ORIGIN}/orders/1`, loading: false, canGoBack: true };
  await act(async () => {
    webView.props.onLoadStart?.({ nativeEvent } as never);
    webView.props.onNavigationStateChange?.(nativeEvent as never);
  });
  await message("payment", { amount: 500 });
  await vi.waitFor(() =>
    expect(replies().at(-1)).toEqual({ eventName: "payment", detail: { paymentMethodId: "pm_1" } }),
  );
});

it("opens the same page again for a second tap", async () => {
  const { setProps } = setUp();
  await message("ping", { protocolVersion: 1 });
  setProps({});
  expect(replies().map(({ eventName }) => eventName)).toEqual(["ping", "navigate"]);
  setProps({ link: { path: "/orders/1" } });
  expect(replies().at(-1)).toEqual({ eventName: "navigate", detail: { pathname: "/orders/1" } });
  expect(replies()).toHaveLength(3);
});

describe("when the system ends the process of the page", () => {
  it("loads the page again on iOS, and holds messages until it listens", async () => {
    const { setProps } = setUp();
    await message("ping", { protocolVersion: 1 });
    act(() => webView.props.onContentProcessDidTerminate?.({} as never));
    expect(webView.reload).toHaveBeenCalledOnce();
    setProps({ link: { path: "/orders/2" } });
    expect(replies()).toHaveLength(2);
    await message("ping", { protocolVersion: 1 });
    expect(replies().at(-1)).toEqual({ eventName: "navigate", detail: { pathname: "/orders/2" } });
  });

  it("opens the last page of the app in a new view on Android", async () => {
    setUp("code 1");
    const mounts = webView.mounts;
    const url = `${ORIGIN}/orders/1`;
    await act(async () => webView.props.onNavigationStateChange?.({ url, canGoBack: true } as never));
    act(() => webView.props.onRenderProcessGone?.({} as never));
    expect(webView.mounts).toBe(mounts + 1);
    expect(webView.props.source).toEqual({ uri: url });
  });
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
  await act(async () => webView.props.onNavigationStateChange?.({ url: ORIGIN, canGoBack: true } as never));
  expect(pressBack()).toBe(true);
  expect(webView.goBack).toHaveBeenCalledOnce();
});

it("asks for permissions on Android first", async () => {
  const modules = setUp();
  await message("ping", { protocolVersion: 1 });
  vi.mocked(PermissionsAndroid.requestMultiple).mockImplementation(async (asked) =>
    toResults(asked, "denied"),
  );
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
  vi.mocked(PermissionsAndroid.requestMultiple).mockImplementation(async (asked) =>
    toResults(asked, "granted"),
  );
  await message("push-notification-request");
  await vi.waitFor(() =>
    expect(replies().at(-1)).toEqual({
      eventName: "push-notification-request",
      detail: { token: "token-1" },
    }),
  );
});

it("accepts the approximate location on Android, and does not ask again", async () => {
  const fine = "android.permission.ACCESS_FINE_LOCATION";
  const coarse = "android.permission.ACCESS_COARSE_LOCATION";
  const ask = vi.mocked(PermissionsAndroid.requestMultiple).mockClear();
  ask.mockResolvedValueOnce({ [fine]: "denied", [coarse]: "granted" });
  const { findPosition } = setUp();
  await message("ping", { protocolVersion: 1 });
  await message("geo-request");
  await vi.waitFor(() => expect(findPosition).toHaveBeenCalledOnce());
  expect(ask).toHaveBeenCalledExactlyOnceWith([fine, coarse]);
  vi.mocked(PermissionsAndroid.check).mockImplementation(async (permission) => permission === coarse);
  await message("geo-request");
  await vi.waitFor(() => expect(findPosition).toHaveBeenCalledTimes(2));
  expect(ask).toHaveBeenCalledOnce();
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
