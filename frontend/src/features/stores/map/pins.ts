/**
 * Pins as HTML elements over the map. The list next to the map has the same stores, so Tab stops only at pins that open a list of their
 * own.
 */
import { type Map as MapLibre, Marker } from "maplibre-gl";
import type { Position } from "@/lib/geo";
import type { Cluster, Store } from "../queries";
import { groupByPlace, MAX_ZOOM, type Place } from "./places";

interface Pin {
  marker: Marker;
  element: HTMLButtonElement;
  onPress: () => void;
}

interface PinData {
  stores: readonly Store[];
  clusters: readonly Cluster[];
  current: string | undefined;
}

interface PinHandlers {
  onChoose: (storeId: string) => void;
  onOpenPlace: (place: Place) => void;
  onOpenCluster: (cluster: Cluster) => void;
}

export class Pins {
  readonly #map: MapLibre;
  readonly #pins = new Map<string, Pin>();
  readonly #handlers: PinHandlers;
  #me: Marker | undefined;

  constructor(map: MapLibre, handlers: PinHandlers) {
    this.#map = map;
    this.#handlers = handlers;
  }

  /** Shows these pins and removes all others. Existing pins stay in place, so that they do not flicker. */
  show({ stores, clusters, current }: PinData): void {
    const visible = new Set<string>();
    for (const place of groupByPlace(stores)) {
      visible.add(place.length === 1 ? this.#showStore(place[0], current) : this.#showPlace(place, current));
    }
    for (const cluster of clusters) visible.add(this.#showCluster(cluster));
    for (const [key, { marker }] of this.#pins) {
      if (visible.has(key)) continue;
      marker.remove();
      this.#pins.delete(key);
    }
  }

  #showStore(store: Store, current: string | undefined): string {
    const key = store.storeId;
    const pin = this.#pin(key, store);
    pin.onPress = () => this.#handlers.onChoose(store.storeId);
    render(pin, formatPinLabel(store), getPinClass(store, store.storeId === current));
    pin.element.setAttribute("aria-label", `${formatPinLabel(store)}: ${store.name}`);
    return key;
  }

  /** Shows one pin with the number of stores, which looks like a cluster and opens the list of the stores. */
  #showPlace(place: Place, current: string | undefined): string {
    const [first] = place;
    const key = `place ${first.storeId}`;
    const pin = this.#pin(key, first, "center");
    pin.onPress = () => this.#handlers.onOpenPlace(place);
    render(pin, String(place.length), getPlaceClass(place, current));
    describeList(pin, place.length);
    return key;
  }

  /** Shows the number of stores, which zooms in, or opens their list at the highest zoom. */
  #showCluster(cluster: Cluster): string {
    const { latitude, longitude, count } = cluster;
    const isZoomedIn = () => this.#map.getZoom() > MAX_ZOOM - 0.01;
    const key = `${latitude} ${longitude} ${isZoomedIn()}`;
    const pin = this.#pin(key, cluster, "center");
    pin.onPress = () => (isZoomedIn() ? this.#handlers.onOpenCluster(cluster) : this.#zoomTo(cluster));
    render(pin, String(count), "map-pin map-pin-cluster");
    if (isZoomedIn()) describeList(pin, count);
    else pin.element.setAttribute("aria-label", `Zoom in to ${count} stores`);
    return key;
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
    anchor: "bottom" | "center" = "bottom",
  ): Pin {
    const existing = this.#pins.get(key);
    if (existing) return existing;
    const element = document.createElement("button");
    element.type = "button";
    element.tabIndex = -1;
    const marker = new Marker({ element, anchor, offset: anchor === "bottom" ? [0, -7] : [0, 0] })
      .setLngLat([longitude, latitude])
      .addTo(this.#map);
    const pin: Pin = { marker, element, onPress: () => undefined };
    element.addEventListener("click", (event) => {
      event.stopPropagation();
      pin.onPress();
    });
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

/** Describes a pin that opens a list of stores, and lets Tab stop at it. */
function describeList({ element }: Pin, count: number): void {
  element.tabIndex = 0;
  element.setAttribute("aria-haspopup", "dialog");
  element.setAttribute("aria-label", `${count} stores here. Show the list.`);
}

function formatPinLabel({ openState, waitMinutes }: Store): string {
  if (openState === "closed") return "Closed";
  return openState === "paused" ? "Paused" : `${waitMinutes} min`;
}

function getPinClass({ openState }: Store, selected: boolean): string {
  if (selected) return "map-pin map-pin-selected";
  return openState === "open" ? "map-pin" : "map-pin map-pin-closed";
}

function getPlaceClass(place: Place, current: string | undefined): string {
  if (place.some(({ storeId }) => storeId === current)) return "map-pin map-pin-cluster map-pin-selected";
  const open = place.some(({ openState }) => openState === "open");
  return open ? "map-pin map-pin-cluster" : "map-pin map-pin-cluster map-pin-closed";
}
