import type { ReactNode } from "react";
import { DrinkArt } from "@/art/DrinkArt";
import { artFor } from "@/art/recipes/art-for";
import { formatMoney } from "@/lib/money";
import { useNow } from "@/lib/use-now";
import { Button } from "@/ui/Button";
import { announcement, formatCountdown, secondsUntil, spell } from "./countdown";
import type { CounterPin } from "./queries";

/** Two minutes. */
const VALID_SECONDS = 120;

interface PinCardProps {
  pin: CounterPin;
  onRenew: () => void;
  renewing: boolean;
  /** What to do about an empty balance. */
  emptyAction: ReactNode;
}

/** The PIN with its countdown: the cup empties until it expires. */
export function PinCard({ pin, onRenew, renewing, emptyAction }: PinCardProps): ReactNode {
  const seconds = secondsUntil(pin.validUntil, useNow(1_000));
  const isExpired = seconds === 0;
  return (
    <section
      aria-label="PIN"
      className="grid justify-items-center gap-4 rounded-sheet bg-inverse px-5 pt-6 pb-7 text-center text-inverse-ink"
    >
      <p className="t-small text-inverse-ink-2">
        For <b className="text-inverse-ink">{pin.storeName}</b> only
      </p>
      <p
        className={`num font-display text-[4rem] leading-none tracking-[0.12em] ${isExpired ? "opacity-45" : ""}`}
      >
        <span aria-hidden="true">{isExpired ? "••••" : pin.pin}</span>
        {!isExpired && <span className="sr-only">{spell(pin.pin)}</span>}
      </p>
      <div className="flex items-center gap-3">
        <Cup share={seconds / VALID_SECONDS} />
        <p className="num t-strong">{isExpired ? "Expired" : `${formatCountdown(seconds)} left`}</p>
      </div>
      <p className="t-small num text-inverse-ink-2">{formatMoney(pin.available)} on your JoePass</p>
      {pin.available.currencyAmount === 0 && emptyAction}
      <p role="status" className="sr-only">
        {announcement(pin.pin, seconds)}
      </p>
      <Button variant={isExpired ? "solid" : "soft"} busy={renewing} onClick={onRenew}>
        Get a new PIN
      </Button>
    </section>
  );
}

/** Steps of the drawing, so that it is not drawn again every second. */
const LEVELS = 24;

function Cup({ share }: { share: number }): ReactNode {
  const fill = Math.ceil(Math.min(1, share) * LEVELS) / LEVELS;
  return (
    <span aria-hidden="true" className="w-11">
      <DrinkArt
        params={artFor("latte", { size: 0, iced: true, ice: "none" }, { fill, pour: false })}
        box="44 60 152 230"
        width={44}
      />
    </span>
  );
}
