import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { quote } from "@/testing/cart";
import { PromoCode } from "./PromoCode";

it("focuses the field only when it is opened, not when another field changes the total", async () => {
  const user = userEvent.setup();
  const checkout = (busy: boolean) => (
    <>
      <PromoCode code="" quote={quote} busy={busy} onChange={vi.fn()} />
      <input aria-label="Tip" />
    </>
  );
  const { rerender } = render(checkout(false));
  await user.click(screen.getByRole("button", { name: "Add promo code" }));
  expect(screen.getByLabelText("Promo code")).toHaveFocus();
  await user.type(screen.getByLabelText("Tip"), "2");
  rerender(checkout(true));
  expect(screen.getByLabelText("Tip")).toHaveFocus();
});
