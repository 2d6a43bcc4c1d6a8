/**
 * What lies under the pins. A tile server's style is configuration (VITE_MAP_STYLE); without one the ground is the
 * outlines of US counties, drawn in the six colours of our own map.
 */
import type { Map as MapLibre, StyleSpecification } from "maplibre-gl";
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
    counties: { type: "geojson", data: NOTHING },
    states: { type: "geojson", data: NOTHING },
  },
  layers: [
    { id: "water", type: "background" },
    { id: "land", type: "fill", source: "land" },
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
  const draw = (id: string, data: GeoJSON.GeoJSON) =>
    map.getSource<import("maplibre-gl").GeoJSONSource>(id)?.setData(data);
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
