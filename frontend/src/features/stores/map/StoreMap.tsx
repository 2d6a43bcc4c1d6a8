import { AttributionControl, Map as MapLibre, setWorkerUrl } from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import { type ReactNode, useEffect, useRef, useState } from "react";
import "maplibre-gl/dist/maplibre-gl.css";
import type { Position } from "@/lib/geo";
import { modals } from "@/shell/modals";
import { device } from "@/state/device";
import type { StoreFilters } from "../filters";
import type { Cluster, Store } from "../queries";
import { applyThemeColors, baseMapStyle, drawGround, hasStyle, supportTileArchives } from "./base-map";
import { Pins } from "./pins";
import { MAX_ZOOM, type Place } from "./places";
import type { VisibleView } from "./use-map-stores";
import "./map.css";

setWorkerUrl(workerUrl);
supportTileArchives();

const NEAR_ZOOM = 13;
/** Half of a pin, and some space to the edge of the map. */
const EDGE_PADDING = 48;

interface StoreMapProps {
  start: Position;
  /** What the map shows at first, if these are close enough to each other: the nearest stores. */
  near: readonly Position[];
  me: Position | null;
  /** The map moves here when this changes. */
  goTo: Position | null;
  stores: readonly Store[];
  clusters: readonly Cluster[];
  filters: StoreFilters;
  current: string | undefined;
  onView: (view: VisibleView) => void;
  onChoose: (storeId: string) => void;
}

/** Loaded on demand, because the map library is larger than all other code of the app. */
export default function StoreMap(props: StoreMapProps): ReactNode {
  const container = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  const [loaded, setLoaded] = useState<{ map: MapLibre; pins: Pins }>();
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    if (!container.current) return;
    const { start, near } = latest.current;
    const map = createMap(container.current, start);
    fitStores(map, near);
    const abort = new AbortController();
    const reportView = () => latest.current.onView(getView(map));
    map.on("load", () => {
      applyThemeColors(map);
      reportView();
      const onChoose = (storeId: string) => latest.current.onChoose(storeId);
      const onOpenCluster = (cluster: Cluster) => openCluster(cluster, latest.current);
      const pins = new Pins(map, { onChoose, onOpenPlace: openPlace, onOpenCluster });
      map.on("zoomend", () => pins.refresh());
      setLoaded({ map, pins });
      // The pins do not need the ground.
      drawGround(map, abort.signal).catch(() => undefined);
    });
    map.on("moveend", reportView);
    const unsubscribe = followTheme(map);
    return () => {
      abort.abort();
      unsubscribe();
      setLoaded(undefined);
      map.remove();
    };
  }, []);

  const { stores, clusters, current, me, goTo } = props;
  useEffect(() => loaded?.pins.show({ stores, clusters, current }), [loaded, stores, clusters, current]);
  useEffect(() => loaded?.pins.showMe(me), [loaded, me]);
  useEffect(() => {
    if (goTo) loaded?.map.easeTo({ center: goTo, zoom: Math.max(loaded.map.getZoom(), NEAR_ZOOM) });
  }, [loaded, goTo]);

  return <div ref={container} className="store-map" />;
}

function openPlace(stores: Place): void {
  void modals.load("place", () => import("./PlaceSheet"), { stores });
}

function openCluster(cluster: Cluster, { filters, me }: StoreMapProps): void {
  void modals.load("place", () => import("./ClusterSheet"), { cluster, filters, me });
}

function createMap(container: HTMLElement, start: Position): MapLibre {
  const map = new MapLibre({
    container,
    style: baseMapStyle(),
    center: start,
    // Without names of streets, shorelines and main roads help to find one's way.
    zoom: hasStyle() ? NEAR_ZOOM - 0.5 : NEAR_ZOOM - 1.7,
    minZoom: 3,
    maxZoom: MAX_ZOOM,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    locale: { "Map.Title": "Map of stores. The list shows the same stores." },
  });
  // A pin extends upward from its place, so the upper edge needs more space. The sheet covers the lower edge.
  map.setPadding({ top: 44, bottom: 32, left: 0, right: 0 });
  map.touchZoomRotate.disableRotation();
  map.addControl(new AttributionControl({ compact: true }), "bottom-left");
  return map;
}

/** Shows the stores together, unless they are farther apart than the map shows at first. */
function fitStores(map: MapLibre, stores: readonly Position[]): void {
  const longitudes = stores.map(({ lon }) => lon);
  const latitudes = stores.map(({ lat }) => lat);
  if (stores.length < 2) return;
  const camera = map.cameraForBounds(
    [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)],
    { padding: EDGE_PADDING, maxZoom: NEAR_ZOOM },
  );
  if (camera?.zoom !== undefined && camera.zoom >= map.getZoom()) map.jumpTo(camera);
}

/** Returns the visible area. What the request contains is rounded, so that small moves do not cause one. */
function getView(map: MapLibre): VisibleView {
  const bounds = map.getBounds();
  const { lat, lng } = bounds.getCenter();
  const north = (bounds.getNorth() - bounds.getSouth()) / 2;
  const east = (bounds.getEast() - bounds.getWest()) / 2;
  const span = Math.min(60, Math.max(north, east * Math.cos((lat * Math.PI) / 180)));
  const digits = Math.max(0, Math.ceil(-Math.log10(span)) + 1);
  return {
    lat: Number(lat.toFixed(digits)),
    lon: Number(lng.toFixed(digits)),
    span: Number(span.toFixed(digits + 1)),
    north,
    east,
  };
}

function followTheme(map: MapLibre): () => void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  // The new theme applies in the next frame.
  const repaint = () => requestAnimationFrame(() => map.isStyleLoaded() && applyThemeColors(map));
  dark.addEventListener("change", repaint);
  const unsubscribe = device.theme.subscribe(repaint);
  return () => {
    dark.removeEventListener("change", repaint);
    unsubscribe();
  };
}
