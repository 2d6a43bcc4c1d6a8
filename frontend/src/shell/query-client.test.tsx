import { onlineManager, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { NetworkError } from "@/api/errors";
import { createQueryClient } from "./query-client";

afterEach(() => onlineManager.setOnline(true));

function Stores({ fetchStores }: { fetchStores: () => Promise<string> }) {
  const { data, error } = useQuery({ queryKey: ["stores"], queryFn: fetchStores });
  return <p>{data ?? error?.message ?? "Loading"}</p>;
}

it("fails at once while offline, and refetches when the network is back", async () => {
  const network = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const fetchStores = vi.fn(async () => "Sunset").mockRejectedValueOnce(new NetworkError("network error"));
  const ignore = () => undefined;
  const handlers = { onMutationError: ignore, onEndedSession: ignore, onUnauthorizedQuery: ignore };
  render(
    <QueryClientProvider client={createQueryClient(handlers)}>
      <Stores fetchStores={fetchStores} />
    </QueryClientProvider>,
  );
  expect(await screen.findByText("network error")).toBeInTheDocument();
  expect(fetchStores).toHaveBeenCalledOnce();
  network.mockReturnValue(true);
  // The page was offline from the start, so only this event reports the network.
  act(() => void window.dispatchEvent(new Event("online")));
  expect(await screen.findByText("Sunset")).toBeInTheDocument();
});

it("does not repeat a query that timed out, because the consumer has waited", async () => {
  const fetchStores = vi.fn(async () => "Sunset").mockRejectedValueOnce(new NetworkError("timeout exceeded"));
  const ignore = () => undefined;
  const handlers = { onMutationError: ignore, onEndedSession: ignore, onUnauthorizedQuery: ignore };
  render(
    <QueryClientProvider client={createQueryClient(handlers)}>
      <Stores fetchStores={fetchStores} />
    </QueryClientProvider>,
  );
  expect(await screen.findByText("timeout exceeded")).toBeInTheDocument();
  expect(fetchStores).toHaveBeenCalledOnce();
});
