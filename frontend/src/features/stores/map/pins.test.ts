import type { Map as MapLibre } from "maplibre-gl";
import { beforeEach, expect, it, vi } from "vitest";
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
