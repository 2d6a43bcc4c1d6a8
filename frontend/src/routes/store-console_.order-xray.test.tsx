import { screen, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, it } from "vitest";
import { formatRecordTime, type OrderTimeline } from "@/features/console/order-timeline";
import { renderRoute } from "@/testing/render-route";
import { mockGetError, server } from "@/testing/server";

const PATH = "/store-api/operator/orders/{id}/timeline";
const TRACE = "0af7651916cd43dd8448eb211c80319c";

const timeline: OrderTimeline = {
  orderId: "ord_1",
  state: "rejected at Sunset & Maltman, 1240 usd cents by card",
  reason: "store_rejected",
  records: [
    {
      at: "2026-11-22T08:00:00.123456Z",
      service: "ordering",
      text: "status placed (by consumer, version 2)",
      traceId: TRACE,
    },
    {
      at: "2026-11-22T08:00:01Z",
      service: "payments",
      text: "charge created: 1240 cents by card",
      traceId: null,
    },
  ],
  notConsumed: ["payments has no record of ordering.OrderRejected"],
  notRead: ["rewards did not respond"],
};

async function openRecords() {
  const { user, queryClient } = await renderRoute("/store-console/order-xray");
  const show = async (key: string, orderId: string) => {
    await user.clear(await screen.findByLabelText("Operator key"));
    await user.type(screen.getByLabelText("Operator key"), key);
    await user.clear(screen.getByLabelText("Order ID"));
    await user.type(screen.getByLabelText("Order ID"), orderId);
    await user.click(screen.getByRole("button", { name: "Show records" }));
  };
  return { user, queryClient, show };
}

it("shows an operator all records of an order, and what is missing", async () => {
  const { show } = await openRecords();
  const seen: Request[] = [];
  server.use(
    http.get(`*${PATH.replace("{id}", ":id")}`, ({ request }) => {
      seen.push(request);
      return HttpResponse.json({ success: true, data: timeline, errors: [] });
    }),
  );
  await show("the-key", " ord_1 ");
  const section = await screen.findByRole("region", { name: "ord_1" });
  expect(seen[0]?.headers.get("authorization")).toBe("Bearer the-key");
  expect(new URL(seen[0]?.url ?? "").pathname).toBe("/store-api/operator/orders/ord_1/timeline");
  expect(within(section).getByText(timeline.state)).toBeInTheDocument();
  expect(within(section).getByText("Reason: store_rejected")).toBeInTheDocument();
  expect(within(section).getByText("rewards did not respond")).toBeInTheDocument();
  expect(within(section).getByText("payments has no record of ordering.OrderRejected")).toBeInTheDocument();
  const [records] = within(section).getAllByRole("list").slice(-1);
  const lines = within(records as HTMLElement)
    .getAllByRole("listitem")
    .map((line) => line.textContent);
  expect(lines).toEqual([
    `2026-11-22 08:00:00.123orderingstatus placed (by consumer, version 2)trace ${TRACE}`,
    "2026-11-22 08:00:01.000paymentscharge created: 1240 cents by card",
  ]);
});

it("keeps the key out of the address, the storage and the cache", async () => {
  const { show, queryClient } = await openRecords();
  server.use(
    http.get(`*${PATH.replace("{id}", ":id")}`, () =>
      HttpResponse.json({ success: true, data: timeline, errors: [] }),
    ),
  );
  await show("the-secret-key", "ord_1");
  await screen.findByRole("region", { name: "ord_1" });
  const stored = JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]);
  expect(stored).not.toContain("the-secret-key");
  const cached = queryClient.getQueryCache().getAll();
  expect(JSON.stringify(cached.map(({ queryKey, state }) => [queryKey, state.data]))).not.toContain("ord_1");
});

it("explains a wrong key and an unknown order next to their fields", async () => {
  const { user, show } = await openRecords();
  await user.click(await screen.findByRole("button", { name: "Show records" }));
  expect(await screen.findByText("Enter your operator key.")).toBeInTheDocument();
  expect(screen.getByText("Enter the order ID.")).toBeInTheDocument();

  const wrongKey = "That operator key isn't valid.";
  server.use(mockGetError(PATH, { status: 401, reason: "UNAUTHENTICATED", errors: [wrongKey] }));
  await show("wrong", "ord_1");
  expect(await screen.findByText(wrongKey)).toBeInTheDocument();
  expect(screen.getByLabelText("Operator key")).toBeInvalid();

  const unknown = "We couldn't find that order.";
  server.use(mockGetError(PATH, { status: 404, reason: "ORDER_UNKNOWN", errors: [unknown] }));
  await show("right", "ord_2");
  expect(await screen.findByText(unknown)).toBeInTheDocument();
  expect(screen.getByLabelText("Order ID")).toBeInvalid();
  expect(screen.queryByText(wrongKey)).not.toBeInTheDocument();
});

it("formats times with milliseconds in UTC", () => {
  expect(formatRecordTime("2026-11-22T08:00:00.999999Z")).toBe("2026-11-22 08:00:00.999");
});
