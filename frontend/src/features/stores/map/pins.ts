/**
 * Pins as elements over the map, so that they wear our type and colours. They are for fingers and eyes: the list below
 * the map holds the same stores for the keyboard and for screen readers.
 */
import { type Map as MapLibre, Marker } from "maplibre-gl";
import type { Position } from "@/lib/geo";
import type { Cluster, Store } from "../queries";

interface Pin {
  marker: Marker;
  element: HTMLButtonElement;
}

interface Shown {
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

  /** Puts these pins on the map and takes all others off; what stays is not moved, so that nothing flickers. */
  show({ stores, clusters, current }: Shown): void {
    const kept = new Set<string>();
    for (const store of stores) {
      kept.add(store.storeId);
      const pin = this.#at(store.storeId, store, () => this.#onChoose(store.storeId));
      wear(pin, labelOf(store), classOf(store, store.storeId === current));
      pin.element.setAttribute("aria-label", `${labelOf(store)}: ${store.name}`);
    }
    for (const cluster of clusters) {
      const key = `${cluster.latitude} ${cluster.longitude}`;
      kept.add(key);
      const pin = this.#at(key, cluster, () => this.#zoomTo(cluster), "center");
      wear(pin, String(cluster.count), "map-pin map-pin-cluster");
      pin.element.setAttribute("aria-label", `Zoom in to ${cluster.count} stores`);
    }
    for (const [key, { marker }] of this.#pins) {
      if (kept.has(key)) continue;
      marker.remove();
      this.#pins.delete(key);
    }
  }

  /** The dot where the person is. */
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

  #at(
    key: string,
    { latitude, longitude }: Pick<Cluster, "latitude" | "longitude">,
    onPress: () => void,
    anchor: "bottom" | "center" = "bottom",
  ): Pin {
    const known = this.#pins.get(key);
    if (known) return known;
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

function wear({ element }: Pin, label: string, classes: string): void {
  if (element.textContent !== label) element.textContent = label;
  const own = [...element.classList].filter((name) => name.startsWith("maplibregl"));
  element.className = [...own, classes].join(" ");
}

function labelOf({ openState, waitMinutes }: Store): string {
  if (openState === "closed") return "Closed";
  return openState === "paused" ? "Paused" : `${waitMinutes} min`;
}

function classOf({ openState }: Store, chosen: boolean): string {
  if (chosen) return "map-pin map-pin-chosen";
  return openState === "open" ? "map-pin" : "map-pin map-pin-shut";
}
