import { integer, number, object, pipe } from "valibot";
import { describe, expect, it, vi } from "vitest";
import { clearOnLogout, device } from "./device";
import { deviceItem } from "./device-item";

const schema = object({ cups: pipe(number(), integer()) });
const make = (version = 1) => deviceItem({ key: "test", version, schema, initial: { cups: 0 } });
const store = (value: unknown) => localStorage.setItem("order-ahead.test", JSON.stringify(value));

describe("a device item", () => {
  it("is written on change and restored at start", () => {
    make().set({ cups: 3 });
    expect(make().get()).toEqual({ cups: 3 });
  });

  it.each([
    ["invalid JSON", "{"],
    ["a value without a version", JSON.stringify({ cups: 3 })],
    ["a value that does not match the schema", JSON.stringify({ version: 1, value: { cups: "three" } })],
    ["another version", JSON.stringify({ version: 9, value: { cups: 3 } })],
  ])("drops %s", (_, stored) => {
    localStorage.setItem("order-ahead.test", stored);
    expect(make().get()).toEqual({ cups: 0 });
  });

  it("migrates a value of an older version", () => {
    store({ version: 1, value: 3 });
    const item = deviceItem({
      key: "test",
      version: 2,
      schema,
      initial: { cups: 0 },
      migrate: (cups) => ({ cups }),
    });
    expect(item.get()).toEqual({ cups: 3 });
  });

  it("notifies subscribers of changes in another tab", () => {
    const item = make();
    const listener = vi.fn();
    item.subscribe(listener);
    store({ version: 1, value: { cups: 5 } });
    window.dispatchEvent(new StorageEvent("storage", { key: "order-ahead.test" }));
    expect(listener).toHaveBeenCalledOnce();
    expect(item.get()).toEqual({ cups: 5 });
  });

  it("restores the stored value when the page returns from the back/forward cache", () => {
    const item = make();
    const listener = vi.fn();
    item.subscribe(listener);
    store({ version: 1, value: { cups: 5 } });
    window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: false }));
    expect(listener).not.toHaveBeenCalled();
    window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
    expect(listener).toHaveBeenCalledOnce();
    expect(item.get()).toEqual({ cups: 5 });
  });

  it("keeps the value in memory when storage is full", () => {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    const item = make();
    item.set({ cups: 2 });
    expect(item.get()).toEqual({ cups: 2 });
  });
});

it("clears the items of the consumer on logout and keeps those of the device", () => {
  device.lastOrder.set({ orderId: "o", ts: "2026-11-20T16:00:00Z", storeName: "Sunset" });
  device.showedPinGuide.set(true);
  device.showedUsualItemGuide.set(true);
  device.theme.set("dark");
  clearOnLogout();
  expect(device.lastOrder.get()).toBeNull();
  expect(device.showedPinGuide.get()).toBe(false);
  expect(device.showedUsualItemGuide.get()).toBe(true);
  expect(device.theme.get()).toBe("dark");
});
