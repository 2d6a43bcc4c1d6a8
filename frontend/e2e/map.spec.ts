import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./axe";
import { createTileArchive } from "./tile-archive";

test.use({ serviceWorkers: "block" });

/** Writes settings into the page, as the gateway does if they are configured. */
async function configure(page: Page, settings: object): Promise<void> {
  const content = JSON.stringify(settings).replaceAll('"', "&quot;");
  await page.route("**/explore/map", async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({
      response,
      body: html.replace(/(<meta name="app-config" content=")[^"]*/, `$1${content}`),
    });
  });
}

const pins = (page: Page) => page.locator(".map-pin");

/** Lists the pins on the visible map that another control covers at their center. */
const findCoveredPins = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const map = document.querySelector(".store-map")?.getBoundingClientRect() ?? new DOMRect();
    const isOnMap = (x: number, y: number) =>
      x > map.left && x < map.right && y > map.top && y < Math.min(map.bottom, innerHeight);
    return [...document.querySelectorAll(".map-pin")].flatMap((pin) => {
      const { left, top, width, height } = pin.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const control = document.elementFromPoint(x, y)?.closest("a, button, input, label, .maplibregl-ctrl");
      // The button for the location is on the map, which can be moved.
      if (!isOnMap(x, y) || !control || control.matches(".map-pin, .map-screen-locate")) return [];
      return [`${pin.textContent} is below ${control.getAttribute("aria-label") ?? control.textContent}`];
    });
  });

for (const [name, viewport, isBeside] of [
  ["below the map on a phone", { width: 390, height: 844 }, false],
  ["next to the map in landscape", { width: 844, height: 390 }, true],
  ["next to the map on a wide screen", { width: 1280, height: 800 }, true],
] as const) {
  test(`the list is ${name}, and no control covers a pin`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.goto("/explore/map");
    await expect(pins(page).first()).toBeVisible();
    const list = page.getByRole("region", { name: "Stores on the map" });
    await expect(list.getByRole("link").first()).toBeVisible();
    await expect.poll(() => findCoveredPins(page)).toEqual([]);
    const [mapBox, listBox] = await Promise.all([
      page.locator(".store-map").boundingBox(),
      list.boundingBox(),
    ]);
    if (!mapBox || !listBox) throw new Error("the map or its list has no size");
    const isNext = listBox.x >= mapBox.x + mapBox.width || mapBox.x >= listBox.x + listBox.width;
    expect(isNext).toBe(isBeside);
    // A pin is not hidden below the list, which overlaps the map with its rounded corners only.
    if (!isBeside) expect(mapBox.y + mapBox.height - listBox.y).toBeLessThanOrEqual(24);
  });
}

test("stores in one building share a pin, which opens their list", async ({ page }) => {
  await page.route(/\/api\/consumer\/stores\/map\?/, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    const [first, second] = body.data.stores;
    const { latitude, longitude } = first;
    const stores = [first, { ...second, latitude, longitude }];
    await route.fulfill({ response, json: { ...body, data: { stores, clusters: [] } } });
  });
  await page.goto("/explore/map");
  const pin = page.getByRole("button", { name: "2 stores here. Show the list." });
  const sheet = page.getByRole("dialog", { name: "2 stores here" });
  await pin.focus();
  await page.keyboard.press("Enter");
  await expect(sheet.getByRole("link")).toHaveCount(2);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(pin).toBeFocused();
  await pin.click();
  await sheet.getByRole("link").first().click();
  await expect(page).toHaveURL(/\/store\/.+\/menu/);
  await expect(sheet).toBeHidden();
});

test("a cluster that no zoom separates opens the list of its stores", async ({ page }) => {
  await page.route(/\/api\/consumer\/stores\/map\?/, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    const query = new URL(route.request().url()).searchParams;
    const center = { latitude: Number(query.get("lat")), longitude: Number(query.get("lon")) };
    const data = { stores: [], clusters: [{ ...center, count: 3 }] };
    await route.fulfill({ response, json: { ...body, data } });
  });
  await page.goto("/explore/map");
  const zooming = page.getByRole("button", { name: "Zoom in to 3 stores" });
  const listing = page.getByRole("button", { name: "3 stores here. Show the list." });
  await expect(async () => {
    if (!(await listing.isVisible())) await zooming.click({ timeout: 1000 });
    await expect(listing).toBeVisible({ timeout: 1000 });
  }).toPass();
  await listing.click();
  const sheet = page.getByRole("dialog", { name: "3 stores here" });
  await expect(sheet.getByRole("link")).toHaveCount(3);
  await expectAccessible(page);
});

test("without stores and a map, the button that tries again is above the navigation", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.route(/\/api\/consumer\/stores\//, (route) => route.fulfill({ status: 400, json: {} }));
  await page.goto("/explore/map");
  const button = await page.getByRole("button", { name: "Try again" }).boundingBox();
  const navigation = await page.getByRole("navigation", { name: "Main" }).boundingBox();
  if (!button || !navigation) throw new Error("the button or the navigation has no size");
  expect(button.y + button.height).toBeLessThanOrEqual(navigation.y);
});

test("without a style the map draws its own ground, and credits the source of the streets", async ({
  page,
}) => {
  const ground = ["ground", "streets", "states-10m"].map((name) =>
    page.waitForResponse((response) => response.url().includes(`/assets/${name}-`) && response.ok()),
  );
  await page.goto("/explore/map");
  await Promise.all(ground);
  await expect(page.getByRole("link", { name: "OpenStreetMap contributors" })).toBeVisible();
  await expectAccessible(page);
});

test("the map draws the configured style with tiles of an archive, and credits their source", async ({
  page,
  baseURL,
}) => {
  const { content, tileRange } = createTileArchive("© Example tiles");
  const ranges: string[] = [];
  await page.route("**/test-tiles.pmtiles", async (route) => {
    const range = (await route.request().headerValue("range")) ?? "";
    ranges.push(range);
    const [start = 0, end = 0] = range.replace("bytes=", "").split("-").map(Number);
    const body = content.subarray(start, end + 1);
    await route.fulfill({
      status: 206,
      body,
      headers: { "content-range": `bytes ${start}-${start + body.length - 1}/${content.length}` },
    });
  });
  await page.route("**/test-style.json", (route) =>
    route.fulfill({
      json: {
        version: 8,
        sources: { tiles: { type: "vector", url: `pmtiles://${baseURL}/test-tiles.pmtiles` } },
        layers: [
          { id: "background", type: "background", paint: { "background-color": "#dde6d5" } },
          { id: "earth", type: "fill", source: "tiles", "source-layer": "earth" },
        ],
      },
    }),
  );
  const ground: string[] = [];
  page.on(
    "request",
    (request) => /ground|streets|states-10m/.test(request.url()) && ground.push(request.url()),
  );
  await configure(page, { mapStyleUrl: `${baseURL}/test-style.json` });
  await page.goto("/explore/map");
  await expect(pins(page).first()).toBeVisible();
  await expect(page.locator(".maplibregl-ctrl-attrib")).toContainText("© Example tiles");
  await expect.poll(() => ranges).toContain(tileRange);
  expect(ground).toEqual([]);
});
