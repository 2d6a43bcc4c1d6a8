import { render, screen } from "@testing-library/react";
import type { ComponentProps } from "react";
import { expect, it, vi } from "vitest";
import { echoPark, sunset } from "../testing/stores";
import { MapSheet } from "./MapSheet";

vi.mock("@tanstack/react-router", () => ({
  useRouter: () => ({}),
}));

const cluster = { latitude: 34.09, longitude: -118.28, count: 3 };

function open(props: Partial<ComponentProps<typeof MapSheet>>) {
  const noStores = { stores: [], pinCount: 0, clusters: [], located: false, current: undefined };
  render(<MapSheet {...noStores} error={null} onRetry={() => undefined} {...props} />);
}

it("names the number of the map that has the stores that are not listed", () => {
  open({ stores: [sunset, echoPark], clusters: [cluster] });
  expect(screen.getByText("1 more store is here. Tap a number on the map to see it.")).toBeInTheDocument();
});

it("mentions no more stores if none is listed", () => {
  open({ clusters: [cluster] });
  expect(screen.getByText("Tap a number on the map to see its stores.")).toBeInTheDocument();
  expect(screen.queryByText(/more store/)).toBeNull();
});

it("mentions no number if the map has none", () => {
  open({ stores: [sunset], pinCount: 2 });
  expect(screen.queryByText(/Tap a number/)).toBeNull();
});

it("mentions no number if there are no stores", () => {
  open({});
  expect(screen.getByText("No stores here. Zoom out or move the map.")).toBeInTheDocument();
  expect(screen.queryByText(/Tap a number/)).toBeNull();
});
