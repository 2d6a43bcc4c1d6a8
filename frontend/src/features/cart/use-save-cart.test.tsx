import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, it } from "vitest";
import { type Profile, sessionQuery } from "@/shell/queries";
import { cartItem } from "@/state/cart";
import { cart } from "@/testing/cart";
import { maya } from "@/testing/render-route";
import { mockGet, mockPost, server } from "@/testing/server";
import { useSaveCart } from "./use-save-cart";

/** More than the delay, with time for the script that saves. */
const SAVED_WITHIN = { timeout: 20_000 };

let saved: unknown[];

beforeEach(() => {
  saved = [];
  server.use(
    mockPost("/user/save-cart", (body) => {
      saved.push(body);
      return { cart: null, savedAt: null };
    }),
  );
  cartItem.set(cart);
});

/** Uses the hook with this session: undefined until the server has responded, null if signed out. */
function renderSaveCart(session: Profile | null | undefined) {
  const queryClient = new QueryClient();
  queryClient.setQueryData(sessionQuery.queryKey, session);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  renderHook(useSaveCart, { wrapper });
  return queryClient;
}

it("saves a cart that was filled before the sign-in", async () => {
  const queryClient = renderSaveCart(null);
  act(() => void queryClient.setQueryData(sessionQuery.queryKey, maya));
  await expect
    .poll(() => saved, SAVED_WITHIN)
    .toMatchObject([{ cart: { cartId: cart.cartId, items: [{ lineId: "line-1" }] } }]);
});

it("saves changes of a signed-in consumer, but not the cart at the start", async () => {
  server.use(mockGet("/user/profile", maya));
  const queryClient = renderSaveCart(undefined);
  await expect.poll(() => queryClient.getQueryData(sessionQuery.queryKey)).toEqual(maya);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(saved).toEqual([]);
  act(() => cartItem.set({ ...cart, tipAmount: 300 }));
  await expect.poll(() => saved, SAVED_WITHIN).toMatchObject([{ cart: { tipAmount: 300 } }]);
});
