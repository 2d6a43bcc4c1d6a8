import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import type { SpanInput } from "./hours";
import { SpanFields } from "./SpanFields";

function Day({ initial }: { initial: SpanInput[] }) {
  const [spans, setSpans] = useState(initial);
  return <SpanFields label="Monday" spans={spans} onChange={setSpans} />;
}

const open = (initial: SpanInput[]) => {
  render(<Day initial={initial} />);
  return userEvent.setup();
};

it("shows a day from midnight to midnight in words, and its times on demand", async () => {
  const user = open([{ opens: "00:00", closes: "00:00" }]);
  expect(screen.getByText("Open 24 hours")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: /Add hours/ })).not.toBeInTheDocument();
  expect(screen.queryByLabelText("Monday opens")).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Change, Monday" }));
  expect(screen.getByLabelText("Monday opens")).toHaveFocus();
  expect(screen.queryByText("Open 24 hours")).not.toBeInTheDocument();
});

it("closes a day that is open 24 hours, and opens it again", async () => {
  const user = open([{ opens: "00:00", closes: "00:00" }]);
  await user.click(screen.getByRole("button", { name: "Monday: remove 24 hours" }));
  expect(screen.getByText("Closed")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Add hours, Monday" }));
  expect(screen.getByLabelText("Monday opens")).toHaveValue("08:00");
  expect(screen.getByLabelText("Monday opens")).toHaveFocus();
});

it("adds hours after the others, up to three spans", async () => {
  const user = open([{ opens: "07:00", closes: "14:00" }]);
  await user.click(screen.getByRole("button", { name: "Add hours, Monday" }));
  expect(screen.getAllByLabelText("Monday opens")[1]).toHaveValue("15:00");
  expect(screen.getAllByLabelText("Monday closes")[1]).toHaveValue("18:00");
  await user.click(screen.getByRole("button", { name: "Add hours, Monday" }));
  expect(screen.queryByRole("button", { name: /Add hours/ })).not.toBeInTheDocument();
});
