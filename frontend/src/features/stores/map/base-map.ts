/**
 * What lies under the pins. A tile server's style is configuration (VITE_MAP_STYLE); without one the ground is the
 * outlines of US counties, drawn in the six colours of our own map.
 */
import type { GeoJSON, Position } from "geojson";
import type { GeoJSONSource, Map as MapLibre, StyleSpecification } from "maplibre-gl";
import { feature, mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import outlinesUrl from "us-atlas/counties-10m.json?url";

type Atlas = Topology<{
  nation: GeometryCollection;
  states: GeometryCollection;
  counties: GeometryCollection;
}>;

/** Each layer, its colour's token, and its paint property. */
const PAINTS = [
  ["water", "background-color", "--map-water"],
  ["land", "fill-color", "--map-land"],
  ["grid", "line-color", "--map-road"],
  ["counties", "line-color", "--map-road"],
  ["states", "line-color", "--line-strong"],
] as const;

/** Where a style of tiles comes from, if one is configured. */
const TILES: string | undefined = import.meta.env.VITE_MAP_STYLE;

const NOTHING = { type: "FeatureCollection" as const, features: [] };

const OWN: StyleSpecification = {
  version: 8,
  sources: {
    land: { type: "geojson", data: NOTHING },
    grid: { type: "geojson", data: NOTHING },
    counties: { type: "geojson", data: NOTHING },
    states: { type: "geojson", data: NOTHING },
  },
  layers: [
    { id: "water", type: "background" },
    { id: "land", type: "fill", source: "land" },
    { id: "grid", type: "line", source: "grid", paint: { "line-width": 1.5 } },
    { id: "counties", type: "line", source: "counties", paint: { "line-width": 1.5 } },
    { id: "states", type: "line", source: "states", paint: { "line-width": 1, "line-opacity": 0.5 } },
  ],
};

export const ground = (): StyleSpecification | string => TILES ?? OWN;

/** Draws the outlines once they are there. Without them the pins still stand on plain land. */
export async function drawOutlines(map: MapLibre, signal: AbortSignal): Promise<void> {
  if (TILES) return;
  const response = await fetch(outlinesUrl, { signal });
  const atlas: Atlas = await response.json();
  if (signal.aborted) return;
  const { nation, states, counties } = atlas.objects;
  const draw = (id: string, data: GeoJSON) => map.getSource<GeoJSONSource>(id)?.setData(data);
  draw("land", feature(atlas, nation));
  draw(
    "counties",
    mesh(atlas, counties, (a, b) => a !== b),
  );
  draw(
    "states",
    mesh(atlas, states, (a, b) => a !== b),
  );
}

/**
 * Draws a quiet grid of about eight lines each way, by powers of two of a degree, so that a map without streets still
 * shows how far one has moved and zoomed.
 */
export function drawGrid(map: MapLibre): void {
  if (TILES) return;
  const bounds = map.getBounds();
  const [west, south, east, north] = [
    bounds.getWest(),
    bounds.getSouth(),
    bounds.getEast(),
    bounds.getNorth(),
  ];
  const step = 2 ** Math.round(Math.log2((north - south) / 8));
  const lines = [
    ...steps(south, north, step).map((lat) => [
      [west - 1, lat],
      [east + 1, lat],
    ]),
    ...steps(west, east, step * 1.25).map((lon) => [
      [lon, south - 1],
      [lon, north + 1],
    ]),
  ];
  map
    .getSource<GeoJSONSource>("grid")
    ?.setData({ type: "MultiLineString", coordinates: lines as Position[][] });
}

/** The multiples of `step` from a little before `from` to a little after `to`. */
function steps(from: number, to: number, step: number): number[] {
  const first = Math.floor(from / step) - 4;
  const last = Math.ceil(to / step) + 4;
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

/** Paints the ground in the colours of the theme as it is now. */
export function paint(map: MapLibre): void {
  if (TILES) return;
  for (const [layer, property, token] of PAINTS) map.setPaintProperty(layer, property, colorOf(token));
}

/** The colour behind a token: `light-dark()` is only settled on an element that wears it. */
function colorOf(token: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
