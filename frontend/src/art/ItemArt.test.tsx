import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DrinkArt } from "./DrinkArt";
import { ItemArt } from "./ItemArt";
import { artFor } from "./recipes/art-for";
import { SVG } from "./testing/svg";

const LATTE = '{"kind":"drink","base":"latte","iced":true}';

const withMotion = (reduced: boolean) =>
  vi.stubGlobal("matchMedia", () => ({ matches: reduced, addEventListener() {}, removeEventListener() {} }));

beforeEach(() => withMotion(false));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("ItemArt", () => {
  it("is announced with a title and hidden without one", () => {
    const { container, rerender } = render(<ItemArt art={LATTE} title="Iced latte with oat milk" />);
    screen.getByRole("img", { name: "Iced latte with oat milk" });
    rerender(<ItemArt art={LATTE} />);
    expect(screen.queryByRole("img")).toBeNull();
    expect(container.querySelector("svg")?.getAttribute("aria-hidden")).toBe("true");
  });

  it("uses unique ids for the same drink twice on a page", () => {
    const { container } = render(
      <>
        <ItemArt art={LATTE} />
        <ItemArt art={LATTE} />
      </>,
    );
    const ids = SVG.ids(container.innerHTML);
    expect(ids.length).toBeGreaterThan(10);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("omits details below 72 px", () => {
    const { container: small } = render(<ItemArt art={LATTE} width={56} />);
    const { container: large } = render(<ItemArt art={LATTE} width={120} />);
    expect(small.innerHTML.length).toBeLessThan(large.innerHTML.length * 0.75);
  });

  it("draws food when its code is loaded", async () => {
    render(<ItemArt art='{"kind":"food","food":"croissant"}' title="Butter croissant" />);
    await screen.findByRole("img", { name: "Butter croissant" });
  });
});

describe("DrinkArt", () => {
  const small = artFor("latte", { iced: true, size: 0 });
  const large = artFor("latte", { iced: true, size: 3 });
  const picture = (container: HTMLElement) => container.querySelector("svg")?.innerHTML;

  it("animates from one drink to the next", () => {
    vi.useFakeTimers();
    const { container, rerender } = render(<DrinkArt params={small} animate />);
    const before = picture(container);
    rerender(<DrinkArt params={large} animate />);
    act(() => void vi.advanceTimersByTime(450));
    const between = picture(container);
    act(() => void vi.advanceTimersByTime(900));
    const after = picture(container);
    expect(new Set([before, between, after]).size).toBe(3);
    act(() => void vi.advanceTimersByTime(900));
    expect(picture(container)).toBe(after);
  });

  it("changes at once with reduced motion or without animate", () => {
    vi.useFakeTimers();
    withMotion(true);
    for (const animate of [true, false]) {
      const { container, rerender, unmount } = render(<DrinkArt params={small} animate={animate} />);
      rerender(<DrinkArt params={large} animate={animate} />);
      const at = picture(container);
      act(() => void vi.advanceTimersByTime(2000));
      expect(picture(container)).toBe(at);
      unmount();
    }
  });
});
