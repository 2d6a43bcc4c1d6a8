import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, it } from "vitest";
import { mockGet, server } from "@/testing/server";
import { sunset } from "../testing/stores";
import { useMapStores } from "./use-map-stores";

const at = (storeId: string, latitude: number) => ({ ...sunset, storeId, name: storeId, latitude });

it("lists the nearest stores of the view first, also those that the map shows as a cluster", async () => {
  const pin = at("pin", 34.15);
  server.use(
    mockGet("/stores/map", {
      stores: [pin],
      clusters: [
        { latitude: 34.092, longitude: sunset.longitude, count: 3 },
        { latitude: 34.185, longitude: sunset.longitude, count: 4 },
      ],
    }),
    mockGet("/stores/list", { stores: [at("near", 34.091), at("next", 34.095), pin, at("outside", 34.18)] }),
  );
  const client = new QueryClient();
  const { result } = renderHook(() => useMapStores(null, {}), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  });
  // Wider than high: the view of the server has more in the north than the map.
  act(() =>
    result.current.setView({ lat: 34.09, lon: sunset.longitude, span: 0.1, north: 0.07, east: 0.12 }),
  );
  await waitFor(() =>
    expect(result.current.listed.map(({ storeId }) => storeId)).toEqual(["near", "next", "pin"]),
  );
  expect(result.current.visibleClusters.map(({ count }) => count)).toEqual([3]);
  // Only the pin is on the map itself.
  expect(result.current.stores.map(({ storeId }) => storeId)).toEqual(["pin"]);
});
