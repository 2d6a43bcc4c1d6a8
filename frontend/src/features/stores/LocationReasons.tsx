import Clock from "lucide-react/icons/clock";
import Footprints from "lucide-react/icons/footprints";
import ShieldCheck from "lucide-react/icons/shield-check";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import type { ReactNode } from "react";
import { ItemArt } from "@/art/ItemArt";
import { isInNativeShell } from "@/native/shell";
import { Notice } from "@/ui/Notice";
import type { GeolocationState } from "./use-geolocation";

const REASONS = [
  {
    icon: Footprints,
    title: "The closest stores first",
    text: "We sort stores by how far they are from you.",
  },
  {
    icon: Clock,
    title: "Ready as you arrive",
    text: "Compare the wait with the distance, and pick the store that fits.",
  },
  {
    icon: ShieldCheck,
    title: "Only while you search",
    text: "We use your location to find stores, and never save it to your account.",
  },
];

/** Explains why the app requests the location, and what to do if it is denied or unavailable. */
export function LocationReasons({ state }: { state: GeolocationState["state"] }): ReactNode {
  return (
    <div className="flex flex-1 flex-col px-gutter">
      <div aria-hidden="true" className="relative mt-4 grid justify-center">
        <ItemArt art={COFFEE} box="24 60 192 232" className="relative z-1 w-36" />
        <div className="absolute inset-x-0 bottom-0 h-6 rounded-[3px] border-line border-y bg-counter" />
      </div>
      <p className="t-title mt-7">Coffee near you</p>
      <ul className="mt-5 grid gap-5">
        {REASONS.map(({ icon: Icon, title, text }) => (
          <li key={title} className="flex gap-4">
            <Icon aria-hidden="true" size={24} strokeWidth={1.75} className="mt-0.5 shrink-0 text-crema" />
            <span>
              <b className="t-strong block">{title}</b>
              <span className="t-small text-ink-2">{text}</span>
            </span>
          </li>
        ))}
      </ul>
      <div role="status" className="mt-6">
        {state === "denied" && (
          <Notice icon={TriangleAlert}>
            {isInNativeShell()
              ? "Location is off for this app. Allow it in your phone's settings, then try again, or search by street."
              : "Your browser is blocking your location. Allow it in the site settings next to the address bar, then try again, or search by street."}
          </Notice>
        )}
        {state === "unavailable" && (
          <Notice icon={TriangleAlert}>
            We couldn't find your location. Try again in a moment, or search by street.
          </Notice>
        )}
      </div>
    </div>
  );
}

const COFFEE = { kind: "drink", base: "latte", lid: "sip" };
