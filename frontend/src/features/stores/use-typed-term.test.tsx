import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { useTypedTerm } from "./use-typed-term";

/** The longest delay is that of a slow phone. */
const DELAY_MS = 100;

function Search() {
  const [term, setTerm] = useState("");
  const { text, type } = useTypedTerm(term, (value) => setTimeout(() => setTerm(value), DELAY_MS));
  return (
    <>
      <input aria-label="Search" value={text} onChange={(event) => type(event.target.value)} />
      <output>{term}</output>
      <button type="button" onClick={() => setTerm("")}>
        Show all
      </button>
    </>
  );
}

it("keeps letters that are typed before the term changes", async () => {
  const user = userEvent.setup({ delay: 20 });
  render(<Search />);
  await user.type(screen.getByLabelText("Search"), "portland");
  expect(screen.getByLabelText("Search")).toHaveValue("portland");
  await expect.poll(() => screen.getByRole("status").textContent).toBe("portland");
  expect(screen.getByLabelText("Search")).toHaveValue("portland");
});

it("shows a term that was changed elsewhere", async () => {
  const user = userEvent.setup();
  render(<Search />);
  await user.type(screen.getByLabelText("Search"), "oak");
  await expect.poll(() => screen.getByRole("status").textContent).toBe("oak");
  await user.click(screen.getByRole("button", { name: "Show all" }));
  expect(screen.getByLabelText("Search")).toHaveValue("");
});
