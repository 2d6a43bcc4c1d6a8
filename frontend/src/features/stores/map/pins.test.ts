import { screen } from "@testing-library/react";
import type { Map as MapLibre } from "maplibre-gl";
import { beforeEach, expect, it, vi } from "vitest";
import { sunset } from "../testing/stores";
import { Pins } from "./pins";
import { MAX_ZOOM } from "./places";

vi.mock("maplibre-gl", () => ({
  /** Adds its element to the document, without a position. */
  Marker: class {
    readonly #element: HTMLElement;
    constructor({ element }: { element: HTMLElement }) {
      this.#element = element;
    }
    setLngLat() {
      return this;
    }
    addTo() {
      document.body.append(this.#element);
      return this;
    }
    remove() {
      this.#element.remove();
    }
  },
}));

const cluster = { latitude: 34.09, longitude: -118.28, count: 32 };

beforeEach(() => document.body.replaceChildren());

function showCluster(zoom: number) {
  const map = { getZoom: () => zoom, easeTo: vi.fn() };
  const onOpenCluster = vi.fn();
  const pins = new Pins(map as unknown as MapLibre, {
    onChoose: vi.fn(),
    onOpenPlace: vi.fn(),
    onOpenCluster,
  });
  const show = () => {
    pins.show({ stores: [], clusters: [cluster], current: undefined });
    return document.querySelector("button") as HTMLButtonElement;
  };
  return { map, onOpenCluster, show };
}

it("zooms into a cluster", () => {
  const { map, onOpenCluster, show } = showCluster(16);
  const pin = show();
  expect(pin).toHaveAccessibleName("Zoom in to 32 stores");
  expect(pin).toHaveTextContent("32");
  pin.click();
  expect(map.easeTo).toHaveBeenCalledWith({ center: [-118.28, 34.09], zoom: 18 });
  expect(onOpenCluster).not.toHaveBeenCalled();
});

it("opens the list of a cluster that the map cannot zoom into", () => {
  const { map, onOpenCluster, show } = showCluster(MAX_ZOOM);
  const pin = show();
  expect(pin).toHaveAccessibleName("32 stores here. Show the list.");
  expect(pin.tabIndex).toBe(0);
  pin.click();
  expect(onOpenCluster).toHaveBeenCalledWith(cluster);
  expect(map.easeTo).not.toHaveBeenCalled();
});

it("describes the list of a cluster once the map is zoomed in", () => {
  const { map, show } = showCluster(16);
  show();
  map.getZoom = () => MAX_ZOOM;
  expect(show()).toHaveAccessibleName("32 stores here. Show the list.");
  map.getZoom = () => 16;
  expect(show()).toHaveAccessibleName("Zoom in to 32 stores");
  expect(show().tabIndex).toBe(-1);
});

/** Shows two stores next to each other. */
function showNeighbors({ zoom, metersApart }: { zoom: number; metersApart: number }) {
  const camera = { center: [-118, 34], zoom: 17 };
  const map = { getZoom: () => zoom, easeTo: vi.fn(), cameraForBounds: () => camera };
  const handlers = { onChoose: vi.fn(), onOpenPlace: vi.fn(), onOpenCluster: vi.fn() };
  const pins = new Pins(map as unknown as MapLibre, handlers);
  const degrees = metersApart / (111_195 * Math.cos((sunset.latitude * Math.PI) / 180));
  const stores = [
    { ...sunset, storeId: "a" },
    { ...sunset, storeId: "b", longitude: sunset.longitude + degrees },
  ];
  pins.show({ stores, clusters: [], current: undefined });
  return { map, pins, stores, onOpenPlace: handlers.onOpenPlace };
}

it("shows one number for pins that would cover each other, which zooms in", () => {
  const { map, pins } = showNeighbors({ zoom: 13, metersApart: 40 });
  const [pin, ...others] = screen.getAllByRole("button");
  expect(others).toEqual([]);
  expect(pin).toHaveAccessibleName("Zoom in to 2 stores");
  pin?.click();
  expect(map.easeTo).toHaveBeenCalledWith({ center: [-118, 34], zoom: 17 });
  map.getZoom = () => 17.5;
  pins.refresh();
  expect(screen.getAllByRole("button")).toHaveLength(2);
});

it("lists the stores of a number that no zoom separates", () => {
  const { onOpenPlace, stores } = showNeighbors({ zoom: MAX_ZOOM, metersApart: 15 });
  const pin = screen.getByRole("button", { name: "2 stores here. Show the list." });
  pin.click();
  expect(onOpenPlace).toHaveBeenCalledWith(stores);
});
