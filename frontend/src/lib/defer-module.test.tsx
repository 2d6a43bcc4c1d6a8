import { act, render, screen } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { deferModule } from "./defer-module";

const module = { text: "Ready 8:40" };
type Part = ReturnType<typeof deferModule<typeof module>>;

function Screen({ part }: { part: Part }) {
  return <p>{part.use()?.text ?? "…"}</p>;
}

it("renders a loaded module in the first frame", async () => {
  const part = deferModule(async () => module);
  await part.load();
  // A server renderer runs no effects: its output is the first frame.
  expect(renderToString(<Screen part={part} />)).toBe("<p>Ready 8:40</p>");
});

it("imports the module once for several users", async () => {
  const get = vi.fn(async () => module);
  const part = deferModule(get);
  render(
    <>
      <Screen part={part} />
      <Screen part={part} />
    </>,
  );
  expect(await screen.findAllByText("Ready 8:40")).toHaveLength(2);
  await part.load();
  expect(get).toHaveBeenCalledOnce();
});

it("retries a failed import", async () => {
  vi.useFakeTimers();
  const get = vi.fn(async () => module).mockRejectedValueOnce(new TypeError("no network"));
  const part = deferModule(get);
  render(<Screen part={part} />);
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(screen.getByText("…")).toBeInTheDocument();
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(screen.getByText("Ready 8:40")).toBeInTheDocument();
});
