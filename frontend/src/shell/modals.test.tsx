import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { Sheet } from "@/ui/Sheet";
import { ModalHost, modals } from "./modals";

const isLocked = () => document.documentElement.hasAttribute("data-scroll-locked");
const open = (id: string) => act(() => modals.open(id, <Sheet title={id}>Inside {id}</Sheet>));

beforeEach(() => {
  render(<ModalHost />);
});

it("closes only the top modal on Escape", async () => {
  open("first");
  open("second");
  await screen.findByRole("dialog", { name: "second" });
  await userEvent.keyboard("{Escape}");
  expect([modals.isOpen("first"), modals.isOpen("second")]).toEqual([true, false]);
  await userEvent.keyboard("{Escape}");
  expect(modals.isOpen()).toBe(false);
});

it("closes a modal by id, or the top modal", () => {
  open("first");
  open("second");
  act(() => modals.close("first"));
  expect([modals.isOpen("first"), modals.isOpen("second")]).toEqual([false, true]);
  act(() => modals.close());
  expect(modals.isOpen()).toBe(false);
});

it("locks page scroll while any modal is open", () => {
  expect(isLocked()).toBe(false);
  open("first");
  open("second");
  act(() => modals.close());
  expect(isLocked()).toBe(true);
  act(() => modals.close());
  expect(isLocked()).toBe(false);
});

it("ignores a second modal with the same id", () => {
  open("rate");
  open("rate");
  expect(screen.getAllByRole("dialog")).toHaveLength(1);
});

it("removes a closed modal after its animation, and allows reopening it before", () => {
  vi.useFakeTimers();
  open("rate");
  act(() => modals.close("rate"));
  open("rate");
  act(() => vi.runAllTimers());
  expect(screen.getByRole("dialog", { name: "rate" })).toBeTruthy();
  act(() => modals.close("rate"));
  act(() => vi.runAllTimers());
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("shows a toast when the code of a modal fails to load", async () => {
  const failToLoad = () =>
    Promise.reject(new TypeError("Failed to fetch dynamically imported module: /assets/a.js"));
  await modals.load("rate", failToLoad, {});
  expect(modals.isOpen()).toBe(false);
  expect(await screen.findByText("This page didn't load. Please try again.")).toBeVisible();
});

function Screen() {
  const [isOpen, setOpen] = useState(true);
  return (
    <Sheet title="Drawn here" open={isOpen} onClose={() => setOpen(false)}>
      Inside
    </Sheet>
  );
}

it("includes sheets rendered by a screen in the stack", async () => {
  render(<Screen />);
  open("above");
  await userEvent.keyboard("{Escape}");
  expect(modals.isOpen("above")).toBe(false);
  expect(isLocked()).toBe(true);
  act(() => modals.closeAll());
  expect(isLocked()).toBe(false);
});
