import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { StorageGate } from "./StorageGate";

const renderGate = () =>
  render(
    <StorageGate>
      <p>The app</p>
    </StorageGate>,
  );

const MESSAGE = "Please enable local storage to use the app!";

it("renders the app with usable local storage", () => {
  renderGate();
  expect(screen.getByText("The app")).toBeInTheDocument();
  expect(screen.queryByText(MESSAGE)).toBeNull();
});

it.each([
  [
    "writing fails",
    () =>
      vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
        throw new DOMException("full", "QuotaExceededError");
      }),
  ],
  ["what is written is lost", () => vi.spyOn(Storage.prototype, "getItem").mockReturnValue(null)],
])("blocks the app if %s, and uncovers the message", (_, breakStorage) => {
  breakStorage();
  document.body.insertAdjacentHTML("beforeend", '<div id="first-paint"></div>');
  renderGate();
  expect(screen.getByRole("heading", { name: MESSAGE })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Reload" })).toBeInTheDocument();
  expect(screen.queryByText("The app")).toBeNull();
  expect(document.getElementById("first-paint")).toBeNull();
});
