import { act, render, screen } from "@testing-library/react";
import { useRef } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { StickyDrawing } from "./StickyDrawing";
import { createDefaultSelection } from "./selection";
import { icedVanillaLatte } from "./testing/items";

afterEach(() => vi.unstubAllGlobals());

function Screen() {
  const stage = useRef<HTMLElement>(null);
  return (
    <>
      <section ref={stage} />
      <StickyDrawing
        item={icedVanillaLatte}
        selection={createDefaultSelection(icedVanillaLatte)}
        stage={stage}
      />
    </>
  );
}

it("shows the drink while the large drawing is out of view", () => {
  let report: (entry: { isIntersecting: boolean; boundingClientRect: { top: number } }) => void = () => {};
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(callback: (entries: unknown[]) => void) {
        report = (entry) => callback([entry]);
      }
      observe() {}
      disconnect() {}
    },
  );
  render(<Screen />);
  expect(screen.queryByText("Iced Vanilla Latte")).toBeNull();
  act(() => report({ isIntersecting: false, boundingClientRect: { top: -400 } }));
  expect(screen.getByText("Iced Vanilla Latte")).toBeInTheDocument();
  act(() => report({ isIntersecting: true, boundingClientRect: { top: -40 } }));
  expect(screen.queryByText("Iced Vanilla Latte")).toBeNull();
});
