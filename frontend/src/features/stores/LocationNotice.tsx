import { Link } from "@tanstack/react-router";
import LocateFixed from "lucide-react/icons/locate-fixed";
import type { ReactNode } from "react";
import { Notice } from "@/ui/Notice";
import { useWhereabouts } from "./position";

/** Why the list is not around the person, and what they can do about it; nothing where it is. */
export function LocationNotice(): ReactNode {
  const { state } = useWhereabouts();
  if (state === "found" || state === "looking") return null;
  const words = {
    unasked: "See what is close: let the app know where you are.",
    denied: "You see stores around the centre. Search for a street, or let the app know where you are.",
    unavailable: "We could not tell where you are. Search for a street or an area.",
  }[state];
  return (
    <Notice icon={LocateFixed}>
      {words}{" "}
      <Link
        to="/explore/location-permissions"
        className="whitespace-nowrap font-semibold text-accent underline-offset-2 hover:underline"
      >
        {state === "denied" ? "How to allow it" : "Use my location"}
      </Link>
    </Notice>
  );
}
