import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { ModalHost, modals } from "@/shell/modals";
import { SelectSheet } from "./SelectSheet";

const options = [
  { value: "card", label: "Visa ending 4242", detail: "Expires 08/28" },
  { value: "bank", label: "First Valley Bank" },
  { value: "new", label: "New payment method", disabled: true },
] as const;

async function openSheet(value: "card" | "bank" | null = null) {
  const onConfirm = vi.fn();
  const user = userEvent.setup();
  render(
    <>
      <SelectSheet title="Pay with" options={options} value={value} onConfirm={onConfirm} />
      <ModalHost />
    </>,
  );
  await user.click(screen.getByRole("button", { name: /Pay with/ }));
  await screen.findByRole("dialog", { name: "Pay with" });
  return { onConfirm, user };
}

it("shows Not selected without a value", () => {
  render(<SelectSheet title="Pay with" options={options} value={null} onConfirm={() => undefined} />);
  expect(screen.getByRole("button", { name: "Pay with Not selected" })).toBeTruthy();
});

it("applies the selection only when it is confirmed", async () => {
  const { onConfirm, user } = await openSheet("card");
  await user.click(screen.getByRole("radio", { name: /First Valley Bank/ }));
  expect(onConfirm).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: "Okay" }));
  expect(onConfirm).toHaveBeenCalledExactlyOnceWith("bank");
  expect(modals.isOpen()).toBe(false);
});

it("ignores clicks on disabled options", async () => {
  const { onConfirm, user } = await openSheet("card");
  await user.click(screen.getByText("New payment method"));
  await user.click(screen.getByRole("button", { name: "Okay" }));
  expect(onConfirm).toHaveBeenCalledExactlyOnceWith("card");
});

it("discards an unconfirmed selection and returns the focus", async () => {
  const { onConfirm, user } = await openSheet("card");
  await user.click(screen.getByRole("radio", { name: /First Valley Bank/ }));
  await user.keyboard("{Escape}");
  await vi.waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole("button", { name: /Pay with/ })),
  );
  await user.click(screen.getByRole("button", { name: /Pay with/ }));
  const visa = await screen.findByRole<HTMLInputElement>("radio", { name: /Visa/ });
  expect(visa.checked).toBe(true);
  expect(onConfirm).not.toHaveBeenCalled();
});

it("has a close button, which the keyboard reaches after the content", async () => {
  const { onConfirm, user } = await openSheet("card");
  const close = screen.getByRole("button", { name: "Close" });
  screen.getByRole("button", { name: "Okay" }).focus();
  await user.tab();
  expect(close).toHaveFocus();
  await user.keyboard("{Enter}");
  expect(modals.isOpen()).toBe(false);
  expect(onConfirm).not.toHaveBeenCalled();
  await vi.waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole("button", { name: /Pay with/ })),
  );
});
