import { afterEach, expect, it } from "vitest";
import { baseMapStyle, hasStyle } from "./base-map";

afterEach(() => {
  document.head.innerHTML = "";
});

it("uses the style of the gateway's settings", () => {
  document.head.innerHTML = `<meta name="app-config" content='{"mapStyleUrl":"https://maps.example.net/light.json"}'>`;
  expect(hasStyle()).toBe(true);
  expect(baseMapStyle()).toBe("https://maps.example.net/light.json");
});

it("draws land and water without a style", () => {
  expect(hasStyle()).toBe(false);
  expect(baseMapStyle()).toMatchObject({
    version: 8,
    layers: expect.arrayContaining([expect.objectContaining({ id: "land" })]),
  });
});
