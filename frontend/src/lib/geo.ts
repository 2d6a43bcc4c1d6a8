/** WGS 84 degrees. */
export interface Position {
  lat: number;
  lon: number;
}

const EARTH_RADIUS_METERS = 6_371_008.8;
const METERS_PER_MILE = 1609.344;

/** Returns the great-circle distance in meters. */
export function distanceBetween(a: Position, b: Position): number {
  const rad = Math.PI / 180;
  const dLat = (b.lat - a.lat) * rad;
  const dLon = (b.lon - a.lon) * rad;
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin(dLon / 2) ** 2;
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Formats meters as "350 ft", "0.4 mi" or "12 mi". */
export function formatDistance(meters: number): string {
  const miles = meters / METERS_PER_MILE;
  if (miles < 0.1) return `${Math.max(50, Math.round((miles * 5280) / 50) * 50)} ft`;
  return miles < 10 ? `${miles.toFixed(1)} mi` : `${Math.round(miles)} mi`;
}

export type LocationError = "denied" | "unavailable";

/** Returns the position of the device. Rejects with a {@link LocationError}. */
export function currentPosition(): Promise<Position> {
  return new Promise((resolve, reject: (reason: LocationError) => void) => {
    if (!("geolocation" in navigator)) return reject("unavailable");
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, lon: coords.longitude }),
      (error) => reject(error.code === error.PERMISSION_DENIED ? "denied" : "unavailable"),
      // A cached position of the last five minutes finds the same stores without a delay.
      { timeout: 8000, maximumAge: 300_000 },
    );
  });
}
