import { act, render, screen } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { later } from "./later";

const words = { text: "Ready 8:40" };
type Part = ReturnType<typeof later<typeof words>>;

function Screen({ part }: { part: Part }) {
  return <p>{part.use()?.text ?? "…"}</p>;
}

it("draws what was loaded before in the first frame", async () => {
  const part = later(async () => words);
  await part.load();
  // What a renderer without effects makes is what the first frame shows.
  expect(renderToString(<Screen part={part} />)).toBe("<p>Ready 8:40</p>");
});

it("fetches once, whoever asks", async () => {
  const get = vi.fn(async () => words);
  const part = later(get);
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

it("asks again for what did not come", async () => {
  vi.useFakeTimers();
  const get = vi.fn(async () => words).mockRejectedValueOnce(new TypeError("no network"));
  const part = later(get);
  render(<Screen part={part} />);
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(screen.getByText("…")).toBeInTheDocument();
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(screen.getByText("Ready 8:40")).toBeInTheDocument();
});
