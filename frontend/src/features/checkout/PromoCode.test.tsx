import { act, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
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

/** A checkout that rejects a code of its own accord, and is busy until `settle` is called. */
function Checkout({ rejected = "" }: { rejected?: string }) {
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState(false);
  const change = (next: string) => {
    setCode(next);
    setBusy(true);
  };
  return (
    <>
      <PromoCode
        code={code}
        quote={{ ...quote, promoMessage: code === rejected ? "This code has expired." : null }}
        busy={busy}
        onChange={change}
      />
      <button type="button" onClick={() => setBusy(false)}>
        Settle
      </button>
    </>
  );
}

it("keeps the focus when a code is applied and removed, and announces it", async () => {
  const user = userEvent.setup();
  render(<Checkout />);
  const status = screen.getByRole("status");
  await user.click(screen.getByRole("button", { name: "Add promo code" }));
  await user.keyboard("welcome{Enter}");
  expect(screen.getByRole("button", { name: "Remove" })).toHaveFocus();
  expect(screen.getByRole("status")).toBe(status);
  expect(status).toHaveTextContent("WELCOME");
  await user.keyboard("{Enter}");
  expect(screen.getByRole("button", { name: "Add promo code" })).toHaveFocus();
  expect(status).toBeEmptyDOMElement();
});

it("returns the focus to the field if the code is rejected", async () => {
  const user = userEvent.setup();
  render(<Checkout rejected="OLD" />);
  await user.click(screen.getByRole("button", { name: "Add promo code" }));
  await user.keyboard("old{Enter}");
  expect(screen.getByRole("button", { name: "Remove" })).toHaveFocus();
  act(() => fireEvent.click(screen.getByRole("button", { name: "Settle" })));
  expect(await screen.findByText("This code has expired.")).toBeInTheDocument();
  expect(screen.getByLabelText("Promo code")).toHaveFocus();
});
