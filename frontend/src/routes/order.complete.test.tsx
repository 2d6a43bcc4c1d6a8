import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Receipt } from "@/features/orders/queries";
import { cents } from "@/lib/money";
import { cart, quote } from "@/testing/cart";
import { makeOrder } from "@/testing/order";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, server } from "@/testing/server";

const receipt: Receipt = {
  orderId: "order-1",
  status: "Completed",
  storeId: cart.storeId,
  storeName: cart.storeName,
  storeAddress: cart.storeAddress,
  timeZone: cart.timeZone,
  lines: quote.lines,
  subtotal: quote.subtotal,
  discount: quote.discount,
  tax: quote.tax,
  tip: quote.tip,
  total: quote.total,
  taxRatePpm: quote.taxRatePpm,
  paymentType: "card",
  payments: [],
  isCharged: true,
  createdAt: "2026-11-20T16:26:00Z",
  completedAt: "2026-11-20T16:42:00Z",
  signature: null,
};

it("shows the public receipt signed out, with every amount and nothing to share", async () => {
  const addresses: string[] = [];
  server.events.on("request:start", ({ request }) => addresses.push(request.url));
  server.use(mockGet("/order/complete", receipt));
  await renderRoute("/order/complete?orderId=order-1&signature=sig-1&isReceiptPublicPage=true");
  expect(await screen.findByRole("heading", { name: "Sunset & Maltman" })).toBeInTheDocument();
  for (const text of ["Iced latte", "$9.50", "$0.90", "$2.00", "$12.40", "Credit Card"]) {
    expect(screen.getAllByText(text)).not.toHaveLength(0);
  }
  expect(screen.queryByRole("button", { name: "Share receipt" })).toBeNull();
  const address = addresses.find((url) => url.includes("/order/complete"));
  expect(Object.fromEntries(new URL(address ?? "").searchParams)).toEqual({
    orderId: "order-1",
    signature: "sig-1",
    isReceiptPublicPage: "true",
  });
});

it("lists each payment of a split total by its type", async () => {
  const payments: Receipt["payments"] = [
    { type: "joebucks", name: "Gift card", amount: cents(500) },
    { type: "bank", name: null, amount: cents(740) },
  ];
  server.use(mockGet("/order/complete", { ...receipt, payments }));
  await renderRoute("/order/complete?orderId=order-1&signature=sig-1&isReceiptPublicPage=true");
  expect(await screen.findByText("Gift Card")).toBeInTheDocument();
  for (const text of ["$5.00", "Bank Account", "$7.40"]) expect(screen.getByText(text)).toBeInTheDocument();
});

it("explains an invalid link", async () => {
  server.use(
    mockGetError("/order/complete", {
      status: 404,
      reason: "RECEIPT_SIGNATURE_INVALID",
      errors: ["This receipt link isn't valid."],
    }),
  );
  await renderRoute("/order/complete?orderId=order-1&signature=wrong&isReceiptPublicPage=true");
  expect(await screen.findByText("This receipt link isn't valid.")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Go to home" })).toHaveAttribute("href", "/");
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});

it("requires sign-in for the consumer's own receipt", async () => {
  const { router } = await renderRoute("/order/complete?orderId=order-1");
  expect(router.state.location.pathname).toBe("/sign-in/getting-started");
});

it("copies the public link of the consumer's receipt where there is no share sheet", async () => {
  server.use(
    mockGet("/order/complete", { ...receipt, signature: "sig-1" }),
    mockGet("/order/active", { order: makeOrder("Ready") }),
  );
  const { user } = await renderRoute("/order/complete?orderId=order-1", { session: maya });
  const write = vi.spyOn(navigator.clipboard, "writeText");
  await user.click(await screen.findByRole("button", { name: "Share receipt" }));
  await vi.waitFor(() =>
    expect(write).toHaveBeenCalledWith(
      `${location.origin}/order/complete?orderId=order-1&signature=sig-1&isReceiptPublicPage=true`,
    ),
  );
  expect(await screen.findByRole("link", { name: "Track order" })).toBeInTheDocument();
});

it("shows that a canceled order was not charged", async () => {
  server.use(mockGet("/order/complete", { ...receipt, status: "Cancelled", isCharged: false }));
  await renderRoute("/order/complete?orderId=order-1&signature=sig-1&isReceiptPublicPage=true");
  expect(await screen.findByText("This order was canceled. Nothing was charged.")).toBeInTheDocument();
});
