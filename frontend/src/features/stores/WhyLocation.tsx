import Clock from "lucide-react/icons/clock";
import Footprints from "lucide-react/icons/footprints";
import ShieldCheck from "lucide-react/icons/shield-check";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import type { ReactNode } from "react";
import { ItemArt } from "@/art/ItemArt";
import { Notice } from "@/ui/Notice";
import type { Whereabouts } from "./position";

const REASONS = [
  {
    icon: Footprints,
    title: "The stores you can walk to",
    words: "Nearest first, by true distance, instead of a list of everything.",
  },
  {
    icon: Clock,
    title: "A drink that is ready as you arrive",
    words: "You see the wait beside the way there, and can choose the store where both fit.",
  },
  {
    icon: ShieldCheck,
    title: "Only while you look",
    words: "Your position goes along with a search for stores and is not kept with your account.",
  },
];

/** Why the position is asked for, and what to do where it was refused or could not be had. */
export function WhyLocation({ state }: { state: Whereabouts["state"] }): ReactNode {
  return (
    <div className="flex flex-1 flex-col px-gutter">
      <div aria-hidden="true" className="relative mt-4 grid justify-center">
        <ItemArt art={COFFEE} box="24 60 192 232" className="relative z-1 w-36" />
        <div className="absolute inset-x-0 bottom-0 h-6 rounded-[3px] border-line border-y bg-counter" />
      </div>
      <p className="t-title mt-7 text-balance">Coffee near where you are</p>
      <ul className="mt-5 grid gap-5">
        {REASONS.map(({ icon: Icon, title, words }) => (
          <li key={title} className="flex gap-4">
            <Icon aria-hidden="true" size={24} strokeWidth={1.75} className="mt-0.5 shrink-0 text-crema" />
            <span>
              <b className="t-strong block">{title}</b>
              <span className="t-small text-ink-2">{words}</span>
            </span>
          </li>
        ))}
      </ul>
      <div role="status" className="mt-6">
        {state === "denied" && (
          <Notice icon={TriangleAlert}>
            Your browser does not share your location with this page. Open the page's settings beside the
            address, allow "Location", and press the button again. Searching by street works without it.
          </Notice>
        )}
        {state === "unavailable" && (
          <Notice icon={TriangleAlert}>
            Your device could not tell where it is. Try again in a moment, or search by street.
          </Notice>
        )}
      </div>
    </div>
  );
}

const COFFEE = { kind: "drink", base: "latte", lid: "sip" };
