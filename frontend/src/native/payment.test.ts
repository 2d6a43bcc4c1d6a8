import { afterEach, expect, it, vi } from "vitest";
import { findDeviceWallet } from "@/provider/device-wallet";
import { device } from "@/state/device";
import { requestNativePayment } from "./payment";

vi.mock("@/shell/error-reports", () => ({ report: vi.fn() }));

const postMessage = vi.fn();

afterEach(() => {
  postMessage.mockReset();
  delete window.ReactNativeWebView;
  delete window.flutter_inappwebview;
});

/** The shell runs a script in the page. */
const reply = (data: unknown, init: MessageEventInit = { origin: location.origin, source: window }) =>
  window.dispatchEvent(new MessageEvent("message", { data, ...init }));

it("sends the amount in cents to React Native and accepts one reply", async () => {
  window.ReactNativeWebView = { postMessage };
  const payment = requestNativePayment(2500);
  expect(JSON.parse(postMessage.mock.calls[0]?.[0] as string)).toEqual({
    eventName: "payment",
    detail: { amount: 2500 },
  });
  reply(JSON.stringify({ eventName: "payment", detail: { paymentMethodId: "pm_1" } }));
  reply(JSON.stringify({ eventName: "payment", detail: { paymentMethodId: "pm_2" } }));
  await expect(payment).resolves.toBe("pm_1");
});

it("sends to Flutter and reads a reply that is dispatched as a window event", async () => {
  const callHandler = vi.fn(async () => undefined);
  window.flutter_inappwebview = { callHandler };
  const payment = requestNativePayment(1685);
  expect(callHandler).toHaveBeenCalledWith("payment", { amount: 1685 });
  window.dispatchEvent(new CustomEvent("payment", { detail: { paymentMethodId: "pm_1" } }));
  await expect(payment).resolves.toBe("pm_1");
});

it.each([[{}], [null], [{ paymentMethodId: 7 }]])("treats the reply %j as canceled", async (detail) => {
  window.ReactNativeWebView = { postMessage };
  const payment = requestNativePayment(1000);
  window.dispatchEvent(new CustomEvent("payment", { detail }));
  await expect(payment).resolves.toBeNull();
});

it("ignores messages of other origins and other names", async () => {
  window.ReactNativeWebView = { postMessage };
  const payment = requestNativePayment(1000);
  const message = { eventName: "payment", detail: { paymentMethodId: "pm_evil" } };
  reply(message, { origin: "https://evil.example", source: window });
  reply({ ...message, eventName: "click" });
  reply("not JSON");
  reply({ eventName: "payment", detail: { paymentMethodId: "pm_1" } });
  await expect(payment).resolves.toBe("pm_1");
});

it.each([
  ["ios", "apple"],
  ["android", "google"],
] as const)("offers the wallet of an %s shell, one payment at a time", async (source, type) => {
  window.ReactNativeWebView = { postMessage };
  device.sourceDevice.set(source);
  const wallet = await findDeviceWallet(() => Promise.reject(new Error("not needed")));
  expect(wallet).toMatchObject({ types: [type], place: "native" });
  const total = { label: "Add JoePass", amount: 2500 };
  const payments = [wallet.pay(total), wallet.pay(total)];
  expect(postMessage).toHaveBeenCalledOnce();
  window.dispatchEvent(new CustomEvent("payment", { detail: { paymentMethodId: "pm_1" } }));
  await expect(Promise.all(payments)).resolves.toEqual(["pm_1", "pm_1"]);
});
