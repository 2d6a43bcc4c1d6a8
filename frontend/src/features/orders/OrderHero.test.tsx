import { act, render, screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { makeOrder } from "@/testing/order";
import { OrderHero } from "./OrderHero";
import type { Order } from "./queries";

const load = vi.hoisted(() => vi.fn<() => Promise<object>>());
vi.mock("@/art/food/modules", () => ({ FOOD_MODULES: { croissant: load } }));

beforeEach(() => void vi.useFakeTimers());

const [latte] = makeOrder("Placed").lines;
const food = { ...latte, kind: "food", art: { kind: "food", food: "croissant" } } as Order["lines"][number];

const renderHero = (lines: Order["lines"]) =>
  render(<OrderHero order={makeOrder("Placed", { lines })} back={null} />);

const getView = () => document.querySelector(".order-cup svg")?.getAttribute("viewBox");
const BAG = "0 0 24 24";

it("draws the cup of an order that was just placed", () => {
  renderHero(makeOrder("Placed").lines);
  expect(getView()).toBe("44 10 152 288");
});

it("shows a bag for an order without lines", () => {
  renderHero([]);
  expect(getView()).toBe(BAG);
});

it("shows a bag until the drawing of food is loaded, also after its download failed", async () => {
  load.mockRejectedValueOnce(new TypeError("Failed to fetch dynamically imported module"));
  load.mockResolvedValueOnce({ variants: ["plain"], draw: () => "" });
  renderHero([food]);
  expect(getView()).toBe(BAG);
  await act(() => vi.advanceTimersByTimeAsync(4_000));
  expect(getView()).toBe(BAG);
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  expect(getView()).toBe("10 56 220 244");
});

it("is late also if the promised time was before midnight", () => {
  vi.setSystemTime("2026-11-21T08:05:00Z");
  const readyAt = "2026-11-21T07:58:00Z";
  const eta = { readyAt, scheduled: false, timeZone: "America/Los_Angeles" };
  render(<OrderHero order={makeOrder("Preparing", { eta })} back={null} />);
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Running late");
  expect(screen.getByText("It was promised for 11:58 yesterday")).toBeInTheDocument();
});
