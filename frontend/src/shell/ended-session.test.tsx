import { screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { cartItem } from "@/state/cart";
import { device } from "@/state/device";
import { getIdempotencyKey } from "@/state/idempotency";
import { cart } from "@/testing/cart";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGetError, server } from "@/testing/server";
import { modals } from "./modals";
import { sessionQuery } from "./queries";

vi.mock("@/ui/toast", () => ({ toast: vi.fn() }));
vi.mock("./error-reports", () => ({ report: vi.fn() }));

it("handles a 401 of a query as the generic handler does, and returns to the screen after sign-in", async () => {
  server.use(
    mockGetError("/inbox/list", { status: 401, reason: "UNAUTHENTICATED" }),
    mockGetError("/user/my-joe", { status: 401, reason: "UNAUTHENTICATED" }),
  );
  cartItem.set(cart);
  getIdempotencyKey("pm_1", "card", 100);
  modals.open("rate", "content");
  const { router, queryClient } = await renderRoute("/inbox", { session: maya });
  await screen.findByLabelText("Mobile number");
  await waitFor(() => expect(router.state.location.href).toBe("/sign-in/getting-started?next=%2Finbox"));
  expect(device.idempotency.get()).toEqual({});
  expect(cartItem.get().items).toEqual([]);
  expect(modals.isOpen()).toBe(false);
  expect(queryClient.getQueryData(sessionQuery.queryKey)).toBeNull();
});
