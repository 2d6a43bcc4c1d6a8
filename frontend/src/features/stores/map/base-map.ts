/**
 * The base map below the pins: the style configured in VITE_MAP_STYLE, or the outlines of US counties in the colors of
 * the theme.
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

/** Layer, paint property and color token. */
const LAYER_COLORS = [
  ["water", "background-color", "--map-water"],
  ["land", "fill-color", "--map-land"],
  ["grid", "line-color", "--map-road"],
  ["counties", "line-color", "--map-road"],
  ["states", "line-color", "--line-strong"],
] as const;

const STYLE_URL: string | undefined = import.meta.env.VITE_MAP_STYLE;

const EMPTY = { type: "FeatureCollection" as const, features: [] };

const OUTLINE_STYLE: StyleSpecification = {
  version: 8,
  sources: {
    land: { type: "geojson", data: EMPTY },
    grid: { type: "geojson", data: EMPTY },
    counties: { type: "geojson", data: EMPTY },
    states: { type: "geojson", data: EMPTY },
  },
  layers: [
    { id: "water", type: "background" },
    { id: "land", type: "fill", source: "land" },
    { id: "grid", type: "line", source: "grid", paint: { "line-width": 1.5 } },
    { id: "counties", type: "line", source: "counties", paint: { "line-width": 1.5 } },
    { id: "states", type: "line", source: "states", paint: { "line-width": 1, "line-opacity": 0.5 } },
  ],
};

export const baseMapStyle = (): StyleSpecification | string => STYLE_URL ?? OUTLINE_STYLE;

/** Loads and draws the outlines of states and counties. */
export async function drawOutlines(map: MapLibre, signal: AbortSignal): Promise<void> {
  if (STYLE_URL) return;
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
 * Draws a grid of about eight lines each way, spaced by powers of two of a degree. It shows movement and zoom on a map
 * without streets.
 */
export function drawGrid(map: MapLibre): void {
  if (STYLE_URL) return;
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

/** Returns the multiples of `step` from a little before `from` to a little after `to`. */
function steps(from: number, to: number, step: number): number[] {
  const first = Math.floor(from / step) - 4;
  const last = Math.ceil(to / step) + 4;
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

/** Applies the colors of the current theme. */
export function applyThemeColors(map: MapLibre): void {
  if (STYLE_URL) return;
  for (const [layer, property, token] of LAYER_COLORS)
    map.setPaintProperty(layer, property, resolveColor(token));
}

/** Resolves a token to a color. `light-dark()` resolves only on an element. */
function resolveColor(token: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
