/**
 * The base map below the pins: the style that the gateway configures (`MAP_STYLE_URL`), or land, water, main roads and parks around the
 * seed's cities (`ground.json` and `streets.json`, written by `map-ground.py`) on the outlines of the US states, in the colors of the
 * theme.
 */
import type { GeoJSON } from "geojson";
import { addProtocol, type GeoJSONSource, type Map as MapLibre, type StyleSpecification } from "maplibre-gl";
import type { Protocol } from "pmtiles";
import { feature, mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import outlinesUrl from "us-atlas/states-10m.json?url";
import { readAppConfig } from "@/shell/app-config";
import groundUrl from "./ground.json?url";
import streetsUrl from "./streets.json?url";

type Atlas = Topology<{
  nation: GeometryCollection;
  states: GeometryCollection;
}>;

type Ground = Topology<{
  sea: GeometryCollection;
  land: GeometryCollection;
  lakes: GeometryCollection;
  islands: GeometryCollection;
  rivers: GeometryCollection;
}>;

type Streets = Topology<{
  parks: GeometryCollection;
  roads: GeometryCollection;
}>;

/** Layer, paint property and color token. */
const LAYER_COLORS = [
  ["water", "background-color", "--map-water"],
  ["nation", "fill-color", "--map-land"],
  ["sea", "fill-color", "--map-water"],
  ["shore", "line-color", "--map-block"],
  ["land", "fill-color", "--map-land"],
  ["parks", "fill-color", "--map-park"],
  ["lakes", "fill-color", "--map-water"],
  ["islands", "fill-color", "--map-land"],
  ["rivers", "line-color", "--map-water"],
  ["roads", "line-color", "--map-road"],
  ["states", "line-color", "--line-strong"],
] as const;

/** Returns whether a style is configured. Its sources name whom to credit. */
export const hasStyle = (): boolean => readAppConfig().mapStyleUrl !== undefined;

const EMPTY = { type: "FeatureCollection" as const, features: [] };

/** From this zoom on, the shorelines around the cities replace those of the nation. */
const DETAIL_ZOOM = 7;

/** The roads appear when a city fills the map. They are off by up to 100 meters, so they fade out before a street can be recognized. */
const FIRST_ROAD_ZOOM = 8;
const LAST_ROAD_ZOOM = 15;

/** The license of the roads and parks demands it. */
const STREETS_CREDIT = {
  attribution:
    '<a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noreferrer">© OpenStreetMap contributors</a>',
};

const empty = (credit?: typeof STREETS_CREDIT) => ({ type: "geojson" as const, data: EMPTY, ...credit });

const GROUND_STYLE: StyleSpecification = {
  version: 8,
  sources: {
    nation: empty(),
    sea: empty(),
    land: empty(),
    parks: empty(STREETS_CREDIT),
    lakes: empty(),
    islands: empty(),
    rivers: empty(),
    roads: empty(STREETS_CREDIT),
    states: empty(),
  },
  layers: [
    { id: "water", type: "background" },
    { id: "nation", type: "fill", source: "nation" },
    { id: "sea", type: "fill", source: "sea", minzoom: DETAIL_ZOOM },
    {
      id: "shore",
      type: "line",
      source: "land",
      minzoom: DETAIL_ZOOM,
      paint: { "line-width": 14, "line-blur": 12, "line-opacity": 0.55 },
    },
    { id: "land", type: "fill", source: "land", minzoom: DETAIL_ZOOM },
    { id: "parks", type: "fill", source: "parks", minzoom: DETAIL_ZOOM },
    { id: "lakes", type: "fill", source: "lakes", minzoom: DETAIL_ZOOM },
    { id: "islands", type: "fill", source: "islands", minzoom: DETAIL_ZOOM },
    { id: "rivers", type: "line", source: "rivers", minzoom: DETAIL_ZOOM, paint: { "line-width": 3 } },
    {
      id: "roads",
      type: "line",
      source: "roads",
      minzoom: FIRST_ROAD_ZOOM,
      maxzoom: LAST_ROAD_ZOOM,
      layout: { "line-cap": "round", "line-join": "round" },
      paint: {
        "line-width": ["interpolate", ["exponential", 1.4], ["zoom"], 7, 0.6, 11, 2.2, 15, 7],
        "line-opacity": [
          "interpolate",
          ["linear"],
          ["zoom"],
          FIRST_ROAD_ZOOM,
          0,
          9.5,
          1,
          13.5,
          1,
          LAST_ROAD_ZOOM,
          0,
        ],
      },
    },
    { id: "states", type: "line", source: "states", paint: { "line-width": 1, "line-opacity": 0.5 } },
  ],
};

export const baseMapStyle = (): StyleSpecification | string => readAppConfig().mapStyleUrl ?? GROUND_STYLE;

/**
 * Reads tiles from PMTiles archives, which styles name like `pmtiles://https://tiles.example.com/city.pmtiles`. The code for it loads
 * with the first archive.
 */
export function supportTileArchives(): void {
  let protocol: Promise<Protocol> | undefined;
  addProtocol("pmtiles", async (request, abort) => {
    protocol ??= import("pmtiles").then(({ Protocol }) => new Protocol({ metadata: true }));
    return (await protocol).tile(request, abort);
  });
}

/** Loads and draws the ground. */
export async function drawGround(map: MapLibre, signal: AbortSignal): Promise<void> {
  if (hasStyle()) return;
  const load = async <T>(url: string): Promise<T> => (await fetch(url, { signal })).json();
  const [ground, streets, atlas] = await Promise.all([
    load<Ground>(groundUrl),
    load<Streets>(streetsUrl),
    load<Atlas>(outlinesUrl),
  ]);
  if (signal.aborted) return;
  const draw = (id: string, data: GeoJSON) => map.getSource<GeoJSONSource>(id)?.setData(data);
  const { nation, states } = atlas.objects;
  draw("nation", feature(atlas, nation));
  for (const [id, shapes] of Object.entries(ground.objects)) draw(id, feature(ground, shapes));
  for (const [id, shapes] of Object.entries(streets.objects)) draw(id, feature(streets, shapes));
  draw(
    "states",
    mesh(atlas, states, (a, b) => a !== b),
  );
}

/** Applies the colors of the current theme. */
export function applyThemeColors(map: MapLibre): void {
  if (hasStyle()) return;
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
