import { onlineManager, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { NetworkError } from "@/api/errors";
import { createQueryClient } from "./query-client";

afterEach(() => onlineManager.setOnline(true));

function Stores({ ask }: { ask: () => Promise<string> }) {
  const { data, error } = useQuery({ queryKey: ["stores"], queryFn: ask });
  return <p>{data ?? error?.message ?? "Looking"}</p>;
}

it("says at once that there is no network, and asks again when there is", async () => {
  const network = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const ask = vi.fn(async () => "Sunset").mockRejectedValueOnce(new NetworkError("network error"));
  render(
    <QueryClientProvider client={createQueryClient(() => undefined)}>
      <Stores ask={ask} />
    </QueryClientProvider>,
  );
  expect(await screen.findByText("network error")).toBeInTheDocument();
  expect(ask).toHaveBeenCalledOnce();
  network.mockReturnValue(true);
  // As the page hears it from the browser, though it was offline from its first moment on.
  act(() => void window.dispatchEvent(new Event("online")));
  expect(await screen.findByText("Sunset")).toBeInTheDocument();
});
