import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { afterEach, expect, it, vi } from "vitest";
import { ModalHost, modals } from "@/shell/modals";
import { mockGet, mockGetError, server } from "@/testing/server";
import type { StoreFilters } from "../filters";
import { echoPark, sunset } from "../testing/stores";
import ClusterSheet from "./ClusterSheet";

vi.mock("@tanstack/react-router", () => ({
  useRouter: () => ({}),
}));

const cluster = { latitude: 34.090_712, longitude: -118.278_634, count: 32 };

function open(filters: StoreFilters = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <ModalHost />
    </QueryClientProvider>,
  );
  act(() => modals.open("place", <ClusterSheet cluster={cluster} filters={filters} me={null} />));
  return screen.findByRole("dialog", { name: "32 stores here" });
}

afterEach(() => act(() => modals.closeAll()));

it("lists the stores of the cluster, open ones first", async () => {
  const queries: string[] = [];
  server.use(
    http.get("*/api/consumer/stores/list", ({ request }) => {
      queries.push(new URL(request.url).search);
      const stores = [
        { ...echoPark, distanceMeters: 2 },
        { ...sunset, distanceMeters: 3 },
      ];
      return HttpResponse.json({ success: true, data: { stores }, errors: [] });
    }),
  );
  const sheet = await open();
  const links = await within(sheet).findAllByRole("link");
  expect(links[0]).toHaveTextContent("Sunset & Maltman");
  expect(links[1]).toHaveTextContent("Echo Park Lake");
  // The distance from the cluster means nothing to the consumer.
  expect(links[0]).not.toHaveTextContent(/ft|mi\b/);
  expect(queries).toEqual(["?lat=34.090712&lon=-118.278634&take=32"]);
});

it("lists only what matches the filters", async () => {
  server.use(mockGet("/stores/list", { stores: [echoPark] }));
  const sheet = await open({ open: true });
  expect(await within(sheet).findByText("None of them matches your filters.")).toBeInTheDocument();
});

it("offers to try again", async () => {
  server.use(mockGetError("/stores/list", { status: 500 }));
  const sheet = await open();
  const again = await within(sheet).findByRole("button", { name: "Try again" });
  server.use(mockGet("/stores/list", { stores: [sunset] }));
  await userEvent.click(again);
  expect(await within(sheet).findByRole("link")).toHaveTextContent("Sunset & Maltman");
});
