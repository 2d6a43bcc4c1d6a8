import { Map as MapLibre, ScaleControl, setWorkerUrl } from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import { type ReactNode, useEffect, useRef, useState } from "react";
import "maplibre-gl/dist/maplibre-gl.css";
import type { Position } from "@/lib/geo";
import { device } from "@/state/device";
import type { Cluster, MapView, Store } from "../queries";
import { drawGrid, drawOutlines, ground, paint } from "./base-map";
import { Pins } from "./pins";
import "./map.css";

setWorkerUrl(workerUrl);

/** A few blocks around the person; a neighbourhood where we only guess. */
const NEAR_ZOOM = 13;

interface StoreMapProps {
  start: Position;
  me: Position | null;
  /** Where the map should go when this is another place than before. */
  goTo: Position | null;
  stores: readonly Store[];
  clusters: readonly Cluster[];
  current: string | undefined;
  onView: (view: MapView) => void;
  onChoose: (storeId: string) => void;
}

/** The map itself. Loaded when the map is first opened: it is larger than the rest of the app. */
export default function StoreMap(props: StoreMapProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  const [made, setMade] = useState<{ map: MapLibre; pins: Pins }>();
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    if (!place.current) return;
    const { start } = latest.current;
    const map = makeMap(place.current, start);
    const over = new AbortController();
    const tell = () => {
      drawGrid(map);
      latest.current.onView(viewOf(map));
    };
    map.on("load", () => {
      paint(map);
      tell();
      setMade({ map, pins: new Pins(map, (storeId) => latest.current.onChoose(storeId)) });
      // Pins stand on plain land until the outlines are there, or without them.
      drawOutlines(map, over.signal).catch(() => undefined);
    });
    map.on("moveend", tell);
    const stop = followTheme(map);
    return () => {
      over.abort();
      stop();
      setMade(undefined);
      map.remove();
    };
  }, []);

  const { stores, clusters, current, me, goTo } = props;
  useEffect(() => made?.pins.show({ stores, clusters, current }), [made, stores, clusters, current]);
  useEffect(() => made?.pins.showMe(me), [made, me]);
  useEffect(() => {
    if (goTo) made?.map.easeTo({ center: goTo, zoom: Math.max(made.map.getZoom(), NEAR_ZOOM) });
  }, [made, goTo]);

  return <div ref={place} className="store-map" />;
}

function makeMap(container: HTMLElement, start: Position): MapLibre {
  const map = new MapLibre({
    container,
    style: ground(),
    center: start,
    zoom: NEAR_ZOOM - 0.5,
    minZoom: 3,
    maxZoom: 18,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    locale: { "Map.Title": "Map of stores. The list below shows the same stores." },
  });
  // The search above and the sheet below cover so much of it.
  map.setPadding({ top: 130, bottom: 48, left: 0, right: 0 });
  map.touchZoomRotate.disableRotation();
  map.addControl(new ScaleControl({ unit: "imperial", maxWidth: 90 }), "bottom-left");
  return map;
}

/** The middle of what is seen and half its height, rounded so that a nudge asks nothing new. */
function viewOf(map: MapLibre): MapView {
  const bounds = map.getBounds();
  const { lat, lng } = bounds.getCenter();
  const north = (bounds.getNorth() - bounds.getSouth()) / 2;
  const east = ((bounds.getEast() - bounds.getWest()) / 2) * Math.cos((lat * Math.PI) / 180);
  const span = Math.min(60, Math.max(north, east));
  const digits = Math.max(0, Math.ceil(-Math.log10(span)) + 1);
  return {
    lat: Number(lat.toFixed(digits)),
    lon: Number(lng.toFixed(digits)),
    span: Number(span.toFixed(digits + 1)),
  };
}

function followTheme(map: MapLibre): () => void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  // A frame later the page wears the new theme.
  const repaint = () => requestAnimationFrame(() => map.isStyleLoaded() && paint(map));
  dark.addEventListener("change", repaint);
  const stop = device.theme.subscribe(repaint);
  return () => {
    dark.removeEventListener("change", repaint);
    stop();
  };
}
