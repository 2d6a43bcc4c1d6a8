import { Link } from "@tanstack/react-router";
import LocateFixed from "lucide-react/icons/locate-fixed";
import type { ReactNode } from "react";
import { device } from "@/state/device";
import { Notice } from "@/ui/Notice";
import { useGeolocation } from "./use-geolocation";

/** Explains why stores are not sorted by distance. Hidden if the location is known. */
export function LocationNotice(): ReactNode {
  const { state } = useGeolocation();
  // If permission was granted before, the location is requested after the first frame.
  const isRequested = state === "idle" && device.locationServices.get() === "granted";
  if (state === "found" || state === "locating" || isRequested) return null;
  const text = {
    idle: "Turn on location to see stores near you.",
    denied: "Location is off. Search by street, or turn it on to see stores near you.",
    unavailable: "We couldn't find your location. Search by street or area instead.",
  }[state];
  return (
    <Notice icon={LocateFixed}>
      {text}{" "}
      <Link
        to="/explore/location-permissions"
        className="whitespace-nowrap font-semibold text-accent underline-offset-2 hover:underline"
      >
        {state === "denied" ? "Turn on location" : "Use my location"}
      </Link>
    </Notice>
  );
}
