import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import type { ReactNode } from "react";
import { expect, it } from "vitest";
import { server } from "@/testing/server";
import { useFavoriteStore, useUnfavoriteStore } from "./mutations";
import { type Store, storeKeys } from "./queries";
import { sunset } from "./testing/stores";

const { storeId } = sunset;
const mapKey = storeKeys.map({ lat: 34, lon: -118, span: 1 }, false);

it("favorites and unfavorites a store in the order of the taps, and reads its data again", async () => {
  const done: string[] = [];
  const serve = (path: string, delay: number) =>
    http.post(`*/api/consumer/store/${path}`, async () => {
      await new Promise((resolve) => setTimeout(resolve, delay));
      done.push(path);
      return HttpResponse.json({ success: true, data: {}, errors: [] });
    });
  server.use(serve("favorite", 50), serve("unfavorite", 0));
  const queryClient = new QueryClient();
  queryClient.setQueryData(storeKeys.info(storeId), { ...sunset, favorite: false });
  queryClient.setQueryData(mapKey, { pins: [] });
  const { result } = renderHook(
    () => ({ favorite: useFavoriteStore(storeId), unfavorite: useUnfavoriteStore(storeId) }),
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
      ),
    },
  );
  const isFavorite = () => queryClient.getQueryData<Store>(storeKeys.info(storeId))?.favorite;
  act(() => result.current.favorite.mutate());
  await waitFor(() => expect(isFavorite()).toBe(true));
  act(() => result.current.unfavorite.mutate());
  await waitFor(() => expect(isFavorite()).toBe(false));
  await waitFor(() => expect(done).toHaveLength(2));
  expect(done).toEqual(["favorite", "unfavorite"]);
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  for (const key of [storeKeys.info(storeId), mapKey]) {
    expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true);
  }
});
