import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { toast } from "./toast";

it("shows a toast at the top center for 2000 ms, without a progress bar and a close button", async () => {
  toast("Feedback submitted", "success");
  const text = await screen.findByText("Feedback submitted");
  const area = document.getElementById("global-toast");
  expect(area).toContainElement(text);
  expect(document.querySelector(".Toastify__toast-container--top-center")).toContainElement(text);
  expect(area?.querySelector("button")).toBeNull();
  // The library ends a toast with the animation of its bar, also if that is hidden.
  const bar = area?.querySelector<HTMLElement>(".Toastify__progress-bar");
  expect(bar?.style.animationDuration).toBe("2000ms");
  expect(area?.querySelector(".Toastify__progress-bar--wrp")).toHaveAttribute("data-hidden", "true");
});

it("announces a toast in one live region", async () => {
  toast("Saved");
  const text = await screen.findByText("Saved");
  const regions: Element[] = [];
  for (let at: Element | null = text; at; at = at.parentElement) {
    if (at.matches("[aria-live], [role=alert], [role=status]")) regions.push(at);
  }
  expect(regions).toHaveLength(1);
});

it("shows a button for longer, which closes the toast", async () => {
  const onPress = vi.fn();
  toast("Order not placed.", "error", { label: "Back to checkout", onPress });
  const text = await screen.findByText("Order not placed.");
  const bar = document.querySelector<HTMLElement>("#global-toast .Toastify__progress-bar");
  expect(bar?.style.animationDuration).toBe("10000ms");
  await userEvent.click(screen.getByRole("button", { name: "Back to checkout" }));
  expect(onPress).toHaveBeenCalledTimes(1);
  for (const element of document.querySelectorAll(".Toastify__toast-container > *"))
    fireEvent.animationEnd(element);
  await waitFor(() => expect(text).not.toBeInTheDocument());
});
