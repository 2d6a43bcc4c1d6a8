import { feature } from "topojson-client";
import type { Topology } from "topojson-specification";
import { afterEach, expect, it } from "vitest";
import { distanceBetween } from "@/lib/geo";
import seed from "../../../../../deploy/seed/stores.json";
import { baseMapStyle, hasStyle } from "./base-map";
import streets from "./streets.json";

afterEach(() => {
  document.head.innerHTML = "";
});

it("uses the style of the gateway's settings", () => {
  document.head.innerHTML = `<meta name="app-config" content='{"mapStyleUrl":"https://maps.example.net/light.json"}'>`;
  expect(hasStyle()).toBe(true);
  expect(baseMapStyle()).toBe("https://maps.example.net/light.json");
});

it("draws roads over parks, land and water without a style, and credits OpenStreetMap", () => {
  expect(hasStyle()).toBe(false);
  const style = baseMapStyle();
  if (typeof style === "string") throw new Error("a style is configured");
  const order = style.layers
    .map(({ id }) => id)
    .filter((id) => ["water", "land", "parks", "roads"].includes(id));
  expect(order).toEqual(["water", "land", "parks", "roads"]);
  for (const id of ["parks", "roads"])
    expect(style.sources[id]).toMatchObject({ attribution: expect.stringContaining("OpenStreetMap") });
});

it("has a main road near each store of the seed", () => {
  const roads = readLines();
  const remote = seed.filter(({ latitude: lat, longitude: lon }) => {
    const distances = roads.map((point) => distanceBetween({ lat, lon }, point));
    return Math.min(...distances) > 5000;
  });
  expect(remote.map(({ name }) => name)).toEqual([]);
});

function readLines(): { lat: number; lon: number }[] {
  const topology = streets as unknown as Topology;
  const roads = topology.objects.roads;
  if (!roads) throw new Error("no roads");
  const { features } = feature(topology, roads) as GeoJSON.FeatureCollection<GeoJSON.MultiLineString>;
  return features.flatMap(({ geometry }) =>
    geometry.coordinates.flat().map(([lon, lat]) => ({ lat: lat ?? 0, lon: lon ?? 0 })),
  );
}
