/** Pins as HTML elements over the map. They are not focusable: the list below the map has the same stores. */
import { type Map as MapLibre, Marker } from "maplibre-gl";
import type { Position } from "@/lib/geo";
import type { Cluster, Store } from "../queries";

interface Pin {
  marker: Marker;
  element: HTMLButtonElement;
}

interface PinData {
  stores: readonly Store[];
  clusters: readonly Cluster[];
  current: string | undefined;
}

export class Pins {
  readonly #map: MapLibre;
  readonly #pins = new Map<string, Pin>();
  readonly #onChoose: (storeId: string) => void;
  #me: Marker | undefined;

  constructor(map: MapLibre, onChoose: (storeId: string) => void) {
    this.#map = map;
    this.#onChoose = onChoose;
  }

  /** Shows these pins and removes all others. Existing pins stay in place, so that they do not flicker. */
  show({ stores, clusters, current }: PinData): void {
    const visible = new Set<string>();
    for (const store of stores) {
      visible.add(store.storeId);
      const pin = this.#pin(store.storeId, store, () => this.#onChoose(store.storeId));
      render(pin, formatPinLabel(store), getPinClass(store, store.storeId === current));
      pin.element.setAttribute("aria-label", `${formatPinLabel(store)}: ${store.name}`);
    }
    for (const cluster of clusters) {
      const key = `${cluster.latitude} ${cluster.longitude}`;
      visible.add(key);
      const pin = this.#pin(key, cluster, () => this.#zoomTo(cluster), "center");
      render(pin, String(cluster.count), "map-pin map-pin-cluster");
      pin.element.setAttribute("aria-label", `Zoom in to ${cluster.count} stores`);
    }
    for (const [key, { marker }] of this.#pins) {
      if (visible.has(key)) continue;
      marker.remove();
      this.#pins.delete(key);
    }
  }

  /** Shows the location of the consumer as a dot. */
  showMe(position: Position | null): void {
    if (!position) {
      this.#me?.remove();
      this.#me = undefined;
      return;
    }
    if (!this.#me) {
      const element = document.createElement("span");
      element.className = "map-me";
      this.#me = new Marker({ element }).setLngLat(position).addTo(this.#map);
    }
    this.#me.setLngLat(position);
  }

  #pin(
    key: string,
    { latitude, longitude }: Pick<Cluster, "latitude" | "longitude">,
    onPress: () => void,
    anchor: "bottom" | "center" = "bottom",
  ): Pin {
    const existing = this.#pins.get(key);
    if (existing) return existing;
    const element = document.createElement("button");
    element.type = "button";
    element.tabIndex = -1;
    element.addEventListener("click", (event) => {
      event.stopPropagation();
      onPress();
    });
    const marker = new Marker({ element, anchor, offset: anchor === "bottom" ? [0, -7] : [0, 0] })
      .setLngLat([longitude, latitude])
      .addTo(this.#map);
    const pin = { marker, element };
    this.#pins.set(key, pin);
    return pin;
  }

  #zoomTo({ latitude, longitude }: Cluster): void {
    this.#map.easeTo({ center: [longitude, latitude], zoom: this.#map.getZoom() + 2 });
  }
}

function render({ element }: Pin, label: string, classes: string): void {
  if (element.textContent !== label) element.textContent = label;
  const mapClasses = [...element.classList].filter((name) => name.startsWith("maplibregl"));
  element.className = [...mapClasses, classes].join(" ");
}

function formatPinLabel({ openState, waitMinutes }: Store): string {
  if (openState === "closed") return "Closed";
  return openState === "paused" ? "Paused" : `${waitMinutes} min`;
}

function getPinClass({ openState }: Store, selected: boolean): string {
  if (selected) return "map-pin map-pin-selected";
  return openState === "open" ? "map-pin" : "map-pin map-pin-closed";
}
