import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { formatInterruption, formatRule, formatRuleState } from "@/features/wallet/auto-reload";
import type { AutoReload } from "@/features/wallet/queries";
import { cents } from "@/lib/money";
import { addFundsOptions } from "@/testing/gift-cards";
import { visa } from "@/testing/payment-method";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockPost, mockPostError, server } from "@/testing/server";

const on: AutoReload = {
  enabled: true,
  threshold: cents(500),
  amount: cents(2500),
  paymentMethodId: "pay_visa",
  pausedUntil: null,
  frozenUntil: null,
};
const NOW = new Date("2026-11-22T10:00:00Z");
const LATER = "2026-11-29T10:00:00Z";

const serve = (autoReload: AutoReload) =>
  server.use(mockGet("/user/wallet/add-funds", { ...addFundsOptions, autoReload }));

beforeEach(() => {
  serve(addFundsOptions.autoReload);
  server.use(mockGet("/payments/list", { paymentMethods: [visa] }));
});

it("has no switch before a rule is stored", async () => {
  await renderRoute("/wallet/auto-reload", { session: maya });
  expect(await screen.findByRole("button", { name: /^Turn on/ })).toBeInTheDocument();
  expect(screen.queryByRole("switch")).toBeNull();
});

it("turns auto-reload on with threshold, amount and method", async () => {
  const rules = vi.fn(() => on);
  server.use(mockPost("/user/settings/autoReload", rules));
  const { user } = await renderRoute("/wallet/auto-reload", { session: maya });
  await screen.findByText("Visa ending 4242");
  await user.click(screen.getByRole("radio", { name: "$5" }));
  await user.click(screen.getByRole("radio", { name: "$25" }));
  serve(on);
  await user.click(screen.getByRole("button", { name: "Turn on · add $25 when under $5" }));
  expect(await screen.findByRole("button", { name: "Pause for a week" })).toBeInTheDocument();
  expect(screen.getByRole("switch", { name: "Auto-reload" })).toBeChecked();
  expect(rules).toHaveBeenCalledWith(
    { enabled: true, threshold: 500, amount: 2500, paymentMethodId: "pay_visa", pausedUntil: null },
    expect.anything(),
  );
});

it("pauses with one tap, and resumes", async () => {
  serve(on);
  const { user } = await renderRoute("/wallet/auto-reload", { session: maya });
  const paused = { ...on, pausedUntil: new Date(Date.now() + 7 * 86_400_000).toISOString() };
  const rules = vi.fn(() => paused);
  server.use(mockPost("/user/settings/autoReload", rules));
  const pause = await screen.findByRole("button", { name: "Pause for a week" });
  serve(paused);
  await user.click(pause);
  expect(await screen.findByText(/^Paused until/)).toBeInTheDocument();
  const [pausing] = rules.mock.calls[0] as unknown as [{ pausedUntil: string }];
  expect(Date.parse(pausing.pausedUntil)).toBeGreaterThan(Date.now() + 6 * 86_400_000);
  server.use(mockPost("/user/settings/autoReload", () => on));
  serve(on);
  await user.click(screen.getByRole("button", { name: "Resume now" }));
  expect(await screen.findByRole("button", { name: "Pause for a week" })).toBeInTheDocument();
});

it("turns auto-reload off", async () => {
  serve(on);
  const off = { ...on, enabled: false };
  const rules = vi.fn(() => off);
  server.use(mockPost("/user/settings/autoReload", rules));
  const { user } = await renderRoute("/wallet/auto-reload", { session: maya });
  const toggle = await screen.findByRole("switch", { name: "Auto-reload" });
  serve(off);
  await user.click(toggle);
  await waitFor(() =>
    expect(rules).toHaveBeenCalledWith(expect.objectContaining({ enabled: false }), expect.anything()),
  );
  await waitFor(() => expect(screen.queryByRole("button", { name: "Pause for a week" })).toBeNull());
  expect(screen.queryByRole("switch")).toBeNull();
});

it("starts with the threshold and the amount of the rule that is off", async () => {
  serve({ ...on, enabled: false, amount: cents(5000) });
  await renderRoute("/wallet/auto-reload", { session: maya });
  expect(await screen.findByRole("button", { name: "Turn on · add $50 when under $5" })).toBeInTheDocument();
});

it("starts with the suggestion of the server", async () => {
  await renderRoute("/wallet/auto-reload", { session: maya });
  expect(await screen.findByRole("button", { name: "Turn on · add $25 when under $10" })).toBeInTheDocument();
});

it.each([
  ["no methods", []],
  ["only expired methods", [{ ...visa, expired: true }]],
])("leads to a new payment method with %s", async (_, paymentMethods) => {
  server.use(mockGet("/payments/list", { paymentMethods }));
  await renderRoute("/wallet/auto-reload", { session: maya });
  const link = await screen.findByRole("link", { name: "Add a payment method" });
  const address = new URL(link.getAttribute("href") ?? "", location.origin);
  expect(address.pathname).toBe("/account/add-payment");
  expect(Object.fromEntries(address.searchParams)).toEqual({ userId: maya.id, next: "/wallet/auto-reload" });
  expect(screen.queryByRole("button", { name: /^Turn on/ })).toBeNull();
});

it("checks the limits before it saves", async () => {
  const { user } = await renderRoute("/wallet/auto-reload", { session: maya });
  await screen.findByText("Visa ending 4242");
  const [, otherAmount] = screen.getAllByRole("radio", { name: "Other amount" });
  await user.click(otherAmount as HTMLElement);
  await user.type(screen.getByRole("textbox", { name: "Other amount" }), "900");
  await user.click(screen.getByRole("button", { name: /^Turn on/ }));
  expect(screen.getByText("The maximum is $500.")).toBeInTheDocument();
});

it("keeps the form when saving fails", async () => {
  serve(on);
  server.use(mockPostError("/user/settings/autoReload", { status: 503 }));
  const { user } = await renderRoute("/wallet/auto-reload", { session: maya });
  await screen.findByText("Visa ending 4242");
  await user.click(screen.getByRole("button", { name: "Save · add $25 when under $5" }));
  expect(await screen.findByRole("button", { name: "Save · add $25 when under $5" })).toBeInTheDocument();
});

it("describes the rule and why it rests", () => {
  expect([formatRule(on), formatRuleState(on, NOW)]).toEqual(["Auto-reload adds $25 when under $5", "On"]);
  const off = { ...on, enabled: false };
  expect([formatRule(off), formatRuleState(off, NOW)]).toEqual(["Auto-reload is off", "Set up"]);
  const paused = { ...on, pausedUntil: LATER };
  expect(formatRuleState(paused, NOW)).toBe("Paused");
  expect(formatInterruption(paused, NOW)).toMatch(/^Paused until/);
  expect(formatInterruption({ ...on, pausedUntil: "2026-11-21T10:00:00Z" }, NOW)).toBeUndefined();
});

it.each([
  ["2026-11-22T18:30:00Z", "today at 6:30 PM"],
  ["2026-11-23T10:00:00Z", "tomorrow at 10:00 AM"],
  ["2026-11-25T10:00:00Z", "Wed, Nov 25 at 10:00 AM"],
])("states the end of a pause at %s", (end, text) => {
  vi.stubEnv("TZ", "UTC");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(formatInterruption({ ...on, pausedUntil: end }, NOW)).toBe(`Paused until ${text}.`);
  expect(formatInterruption({ ...on, frozenUntil: end }, NOW)).toBe(
    `Your phone or a payment method changed, so auto-reload is paused until ${text} to keep your money safe.`,
  );
});
