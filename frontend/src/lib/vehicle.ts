import type { device } from "@/state/device";

type Vehicle = NonNullable<ReturnType<typeof device.vehicle.get>>;

/** Formats a vehicle: "Blue Honda, 8ABC123". Empty without a vehicle. */
export function formatVehicle(vehicle: Vehicle | null): string {
  if (!vehicle) return "";
  const name = [vehicle.color, vehicle.make].filter(Boolean).join(" ");
  return [name, vehicle.plate].filter(Boolean).join(", ");
}

/** Parses the text of {@link formatVehicle}. Returns null without a color and a make. */
export function parseVehicle(text: string): Vehicle | null {
  const [name = "", plate = ""] = text.split(", ");
  const [, color, make] = /^(\S+) (.+)$/.exec(name) ?? [];
  return color && make ? { color, make, plate } : null;
}
