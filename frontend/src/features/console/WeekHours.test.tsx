import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { mockPost, server } from "@/testing/server";
import type { Schedule } from "./queries";
import { WeekHours } from "./WeekHours";

const schedule: Schedule = {
  defaultBaristas: 2,
  drinksPerBaristaHour: 30,
  shifts: [],
  timeZone: "America/Los_Angeles",
  today: "2026-11-22",
  week: [{ weekday: 1, opensMinute: 0, closesMinute: 1440 }],
  specialDays: [],
};

function open() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WeekHours storeId="sunset" schedule={schedule} />
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

it("shows a day that is open 24 hours in words again after Undo", async () => {
  const user = open();
  await user.click(screen.getByRole("button", { name: "Change, Monday" }));
  await user.click(screen.getByRole("button", { name: "Add hours, Tuesday" }));
  expect(screen.queryByText("Open 24 hours")).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(screen.getByText("Open 24 hours")).toBeInTheDocument();
});

it("shows a day that is open 24 hours in words again after it is saved", async () => {
  server.use(mockPost("/store-api/stores/{id}/hours", () => ({ schedule, scheduled: { orders: [] } })));
  const user = open();
  await user.click(screen.getByRole("button", { name: "Change, Monday" }));
  await user.click(screen.getByRole("button", { name: "Add hours, Tuesday" }));
  await user.click(screen.getByRole("button", { name: "Save hours" }));
  expect(await screen.findByText("Open 24 hours")).toBeInTheDocument();
});
