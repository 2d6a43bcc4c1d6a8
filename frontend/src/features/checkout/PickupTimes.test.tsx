import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { PickupTimes } from "./PickupTimes";

const SLOTS = ["2099-01-05T18:00:00Z", "2099-01-05T18:15:00Z"];

/** Renders a row of this width and scroll position, in which each time is 88 px wide and has a gap of 8 px. */
function renderRow(value: string, { width, scrolled }: { width: number; scrolled: number }) {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(width);
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(88);
  vi.spyOn(HTMLElement.prototype, "offsetLeft", "get").mockImplementation(function (this: HTMLElement) {
    return 20 + 96 * [...(this.parentElement?.children ?? [])].indexOf(this);
  });
  const row = (selected: string) => (
    <PickupTimes
      earliest="2099-01-05T17:50:00Z"
      slots={SLOTS}
      zone="UTC"
      value={selected}
      onChange={vi.fn()}
    />
  );
  const { rerender } = render(row(""));
  const scroller = screen.getByRole("radiogroup").parentElement as HTMLElement;
  scroller.scrollLeft = scrolled;
  rerender(row(value));
  return scroller;
}

it("scrolls to a selected time that is not visible", () => {
  const tomorrow = "2099-01-06T10:00:00Z";
  expect(renderRow(tomorrow, { width: 390, scrolled: 300 }).scrollLeft).toBe(96);
  expect(screen.getByRole("radio", { checked: true })).toHaveAccessibleName(/selected/);
});

it("stays where it is if the selected time is visible", () => {
  expect(renderRow(SLOTS[1] as string, { width: 390, scrolled: 0 }).scrollLeft).toBe(0);
});
