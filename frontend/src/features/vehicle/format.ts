import type { device } from "@/state/device";

type Vehicle = NonNullable<ReturnType<typeof device.vehicle.get>>;

/** Formats a vehicle: "Blue Honda, 8ABC123". Empty without a vehicle. */
export function formatVehicle(vehicle: Vehicle | null): string {
  if (!vehicle) return "";
  const name = [vehicle.color, vehicle.make].filter(Boolean).join(" ");
  return [name, vehicle.plate].filter(Boolean).join(", ");
}
