import type { device } from "@/state/device";

/** The car that waits outside, as the device remembers it. */
export type Vehicle = NonNullable<ReturnType<typeof device.vehicle.get>>;

/** "Blue Honda, 8ABC123": what the bar looks for. Empty for no car. */
export function formatVehicle(vehicle: Vehicle | null): string {
  if (!vehicle) return "";
  const car = [vehicle.color, vehicle.make].filter(Boolean).join(" ");
  return [car, vehicle.plate].filter(Boolean).join(", ");
}
