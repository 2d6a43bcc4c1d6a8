import { describe, expect, it, vi } from "vitest";
import { object, whole } from "@/lib/shape";
import { clearOnLogout, device } from "./device";
import { deviceItem } from "./device-item";

const shape = object({ cups: whole() });
const make = (version = 1) => deviceItem({ key: "test", version, shape, initial: { cups: 0 } });
const keep = (value: unknown) => localStorage.setItem("order-ahead.test", JSON.stringify(value));

describe("a device item", () => {
  it("is restored at start and written on change", () => {
    make().set({ cups: 3 });
    expect(make().get()).toEqual({ cups: 3 });
  });

  it.each([
    ["what is no JSON", "{"],
    ["what has no version", JSON.stringify({ cups: 3 })],
    ["what does not fit its shape", JSON.stringify({ version: 1, value: { cups: "three" } })],
    ["another version", JSON.stringify({ version: 9, value: { cups: 3 } })],
  ])("drops %s", (_, stored) => {
    localStorage.setItem("order-ahead.test", stored);
    expect(make().get()).toEqual({ cups: 0 });
  });

  it("takes over an older version through its migration", () => {
    keep({ version: 1, value: 3 });
    const item = deviceItem({
      key: "test",
      version: 2,
      shape,
      initial: { cups: 0 },
      migrate: (cups) => ({ cups }),
    });
    expect(item.get()).toEqual({ cups: 3 });
  });

  it("hears what another tab changes", () => {
    const item = make();
    const heard = vi.fn();
    item.subscribe(heard);
    keep({ version: 1, value: { cups: 5 } });
    window.dispatchEvent(new StorageEvent("storage", { key: "order-ahead.test" }));
    expect(heard).toHaveBeenCalledOnce();
    expect(item.get()).toEqual({ cups: 5 });
  });

  it("works on in memory when storage is full", () => {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    const item = make();
    item.set({ cups: 2 });
    expect(item.get()).toEqual({ cups: 2 });
  });
});

it("forgets on logout what belongs to the person, and keeps what belongs to the device", () => {
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
