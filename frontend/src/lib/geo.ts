/** Positions on the earth, WGS 84 degrees. */
export interface Position {
  lat: number;
  lon: number;
}

const EARTH_METRES = 6_371_008.8;
const METRES_PER_MILE = 1609.344;

/** The great-circle distance in metres. */
export function distanceBetween(a: Position, b: Position): number {
  const rad = Math.PI / 180;
  const dLat = (b.lat - a.lat) * rad;
  const dLon = (b.lon - a.lon) * rad;
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin(dLon / 2) ** 2;
  return 2 * EARTH_METRES * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** "350 ft", "0.4 mi", "12 mi": as precise as a person on foot or in a car can use. */
export function formatDistance(metres: number): string {
  const miles = metres / METRES_PER_MILE;
  if (miles < 0.1) return `${Math.max(50, Math.round((miles * 5280) / 50) * 50)} ft`;
  return miles < 10 ? `${miles.toFixed(1)} mi` : `${Math.round(miles)} mi`;
}

/** Why no position could be had. */
export type LocationRefusal = "denied" | "unavailable";

/** Where the device is now. Rejects with a {@link LocationRefusal}. */
export function currentPosition(): Promise<Position> {
  return new Promise((resolve, reject: (why: LocationRefusal) => void) => {
    if (!("geolocation" in navigator)) return reject("unavailable");
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, lon: coords.longitude }),
      (error) => reject(error.code === error.PERMISSION_DENIED ? "denied" : "unavailable"),
      // A position of the last five minutes finds the same stores and answers at once.
      { timeout: 8000, maximumAge: 300_000 },
    );
  });
}
