/**
 * Pins as HTML elements over the map. The list next to the map has the same stores, so Tab stops only at pins that open a list of their
 * own.
 */
import { type Map as MapLibre, Marker } from "maplibre-gl";
import type { Position } from "@/lib/geo";
import type { Cluster, Store } from "../queries";
import { countStores, groupPins, isPlace, locate, type PinGroup } from "./pin-groups";
import { groupByPlace, MAX_ZOOM, type Place } from "./places";

/** The tip of a pin is at its place, 7 px below the pill. Count pins have no tip, and are as high above the place as a pill. */
const PILL_OFFSET: [number, number] = [0, -7];
const COUNT_OFFSET: [number, number] = [0, -24];

/** Around the stores that a count pin zooms in to, in pixels. */
const ZOOM_PADDING = 64;

/** The browser's default text size in pixels. */
const TEXT_SIZE = 16;

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
  #data: PinData | undefined;
  #me: Marker | undefined;

  constructor(map: MapLibre, handlers: PinHandlers) {
    this.#map = map;
    this.#handlers = handlers;
  }

  /** Shows these pins and removes all others. Existing pins stay in place, so that they do not flicker. */
  show(data: PinData): void {
    this.#data = data;
    const { stores, clusters, current } = data;
    const visible = new Set<string>();
    const contents = [...clusters, ...groupByPlace(stores)];
    const options = { zoom: this.#map.getZoom(), textScale: getTextScale(), current };
    for (const group of groupPins(contents, options)) visible.add(this.#showGroup(group, current));
    for (const [key, { marker }] of this.#pins) {
      if (visible.has(key)) continue;
      marker.remove();
      this.#pins.delete(key);
    }
  }

  /** Groups the pins again after the zoom changed. */
  refresh(): void {
    if (this.#data) this.show(this.#data);
  }

  #showGroup(group: PinGroup, current: string | undefined): string {
    const [content, ...others] = group;
    if (others.length > 0) return this.#showPinGroup(group, current);
    if (!isPlace(content)) return this.#showCluster(content);
    return content.length === 1 ? this.#showStore(content[0], current) : this.#showPlace(content, current);
  }

  /** Shows one pin with the number of stores whose pins would cover each other. It zooms in, or lists them at the highest zoom. */
  #showPinGroup(group: PinGroup, current: string | undefined): string {
    const [first] = group;
    const stores = group.flatMap((content) => (isPlace(content) ? content : []));
    const [store, ...more] = stores;
    const count = group.reduce((sum, content) => sum + countStores(content), 0);
    const isListed = this.#isZoomedIn() && store !== undefined && stores.length === count;
    const { latitude, longitude } = locate(first);
    const key = `group ${latitude} ${longitude} ${isListed}`;
    const pin = this.#pin(key, { latitude, longitude }, "center");
    pin.onPress = () => (isListed ? this.#handlers.onOpenPlace([store, ...more]) : this.#zoomToGroup(group));
    render(pin, String(count), getPlaceClass(stores, current, stores.length < count));
    if (isListed) describeList(pin, count);
    else pin.element.setAttribute("aria-label", `Zoom in to ${count} stores`);
    return key;
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
    const key = `${latitude} ${longitude} ${this.#isZoomedIn()}`;
    const pin = this.#pin(key, cluster, "center");
    pin.onPress = () => (this.#isZoomedIn() ? this.#handlers.onOpenCluster(cluster) : this.#zoomTo(cluster));
    render(pin, String(count), "map-pin map-pin-cluster");
    if (this.#isZoomedIn()) describeList(pin, count);
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
    const marker = new Marker({ element, anchor, offset: anchor === "bottom" ? PILL_OFFSET : COUNT_OFFSET })
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

  #isZoomedIn(): boolean {
    return this.#map.getZoom() > MAX_ZOOM - 0.01;
  }

  /** Zooms in until the stores of a group fill the map, at least by one level. */
  #zoomToGroup(group: PinGroup): void {
    const places = group.map(locate);
    const longitudes = places.map(({ longitude }) => longitude);
    const latitudes = places.map(({ latitude }) => latitude);
    const camera = this.#map.cameraForBounds(
      [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)],
      { padding: ZOOM_PADDING, maxZoom: MAX_ZOOM },
    );
    const [first] = places;
    if (!first) return;
    this.#map.easeTo({
      center: camera?.center ?? [first.longitude, first.latitude],
      zoom: Math.min(MAX_ZOOM, Math.max(camera?.zoom ?? 0, this.#map.getZoom() + 1)),
    });
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

/** Returns the text size: 1 is normal, 2 is 200 percent. */
function getTextScale(): number {
  return (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || TEXT_SIZE) / TEXT_SIZE;
}

/** `hasMore`: the count pin also counts stores of clusters, of which most are open. */
function getPlaceClass(stores: readonly Store[], current: string | undefined, hasMore = false): string {
  if (stores.some(({ storeId }) => storeId === current)) return "map-pin map-pin-cluster map-pin-selected";
  const open = hasMore || stores.some(({ openState }) => openState === "open");
  return open ? "map-pin map-pin-cluster" : "map-pin map-pin-cluster map-pin-closed";
}
