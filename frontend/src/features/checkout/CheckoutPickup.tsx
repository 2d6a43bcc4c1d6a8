import { Link } from "@tanstack/react-router";
import CarFront from "lucide-react/icons/car-front";
import Store from "lucide-react/icons/store";
import { type ReactNode, useEffect, useRef } from "react";
import { useNow } from "@/lib/use-now";
import type { Cart } from "@/state/cart";
import { device } from "@/state/device";
import { useItem } from "@/state/device-item";
import { Button } from "@/ui/Button";
import { SegmentedControl } from "@/ui/SegmentedControl";
import { SkeletonBlock, SkeletonLine } from "@/ui/Skeleton";
import { toast } from "@/ui/toast";
import { formatReadyTime } from "./format";
import { PickupTimes } from "./PickupTimes";
import type { CartOptions, Quote } from "./queries";
import { StoreProblemNotice } from "./StoreProblemNotice";
import type { StoreProblem } from "./store-problem";

interface CheckoutPickupProps {
  cart: Cart;
  quote: Quote | undefined;
  /** Replaces the promised time if the store does not make the order then. */
  problem: StoreProblem | undefined;
  /** Replaces the promised time if the quote failed to load. */
  error: ReactNode;
  /** Undefined until they are loaded. */
  options: CartOptions["pickup"] | undefined;
  /** Loads the options again; undefined unless they failed to load. */
  onReload: (() => void) | undefined;
  onChange: (changed: Partial<Cart>) => void;
  onVehicle: () => void;
}

/** Promised time, store, pickup times and pickup kind. */
export function CheckoutPickup(props: CheckoutPickupProps): ReactNode {
  const { cart, quote, problem, error, options, onReload, onChange, onVehicle } = props;
  useAvailablePickup(cart, options, onChange);
  return (
    <section>
      {problem ? (
        <div aria-live="polite" className="pt-1">
          <h2 className="t-display">{problem.title}</h2>
          <div className="py-2">
            <StoreProblemNotice problem={problem} titled hasTimes={options?.slots.length !== 0} />
          </div>
        </div>
      ) : (
        <Heading quote={quote} error={error} closed={options?.earliestAt === null} />
      )}
      <p className="-mt-0.5 flex items-center justify-between gap-4 text-ink-2">
        {cart.storeName}
        <Link
          to="/store/$storeId/menu"
          params={{ storeId: cart.storeId }}
          className="t-strong inline-flex min-h-target items-center text-accent"
        >
          View menu
        </Link>
      </p>
      {options ? (
        <PickupTimes
          earliest={
            options.earliestAt && cart.schedule === "" && quote?.eta ? quote.eta.readyAt : options.earliestAt
          }
          slots={options.slots}
          zone={options.timeZone}
          value={cart.schedule}
          onChange={(schedule) => onChange({ schedule })}
        />
      ) : onReload ? (
        <Button variant="soft" onClick={onReload}>
          Reload pickup times
        </Button>
      ) : (
        <SkeletonBlock className="h-16" />
      )}
      {options?.curbside && (
        <div className="pt-2">
          <SegmentedControl
            label="Pickup method"
            value={cart.pickup}
            onChange={(pickup) => onChange({ pickup })}
            options={[
              { value: "counter", label: "At the counter", icon: Store },
              { value: "curbside", label: "Curbside", icon: CarFront },
            ]}
          />
          {cart.pickup === "curbside" && <VehicleRow onVehicle={onVehicle} />}
        </div>
      )}
    </section>
  );
}

interface HeadingProps extends Pick<CheckoutPickupProps, "quote" | "error"> {
  closed: boolean;
}

function Heading({ quote, error, closed }: HeadingProps): ReactNode {
  const now = useNow(30_000);
  const { eta } = quote ?? {};
  return (
    <div aria-live="polite" className="min-h-13 pt-1">
      {eta && !error ? (
        <h2 className="t-hero num">Ready {formatHeading(formatReadyTime(eta.readyAt, eta.timeZone, now))}</h2>
      ) : error ? (
        <>
          <h2 className="t-display">{closed ? "Not taking orders right now" : "No pickup time yet"}</h2>
          <div className="py-2">{error}</div>
        </>
      ) : (
        <SkeletonLine className="h-11 w-3/5" />
      )}
    </div>
  );
}

/** "at 8:40", but "tomorrow 8:40". */
const formatHeading = (ready: string): string => (/^\d/.test(ready) ? `at ${ready}` : ready);

function VehicleRow({ onVehicle }: { onVehicle: () => void }): ReactNode {
  const vehicle = useItem(device.vehicle);
  return (
    <p className="flex min-h-target items-center justify-between gap-4 pt-2">
      <span>
        {vehicle ? (
          <>
            {vehicle.color} {vehicle.make}
            {vehicle.plate && <span className="text-ink-2"> · {vehicle.plate}</span>}
          </>
        ) : (
          <span className="text-ink-2">Which car should we look for?</span>
        )}
      </span>
      <button type="button" onClick={onVehicle} className="t-strong min-h-target shrink-0 text-accent">
        {vehicle ? "Change car" : "Add your car"}
      </button>
    </p>
  );
}

/**
 * Resets a selected time or pickup kind when loaded options show that it is no longer available, and informs the consumer. Keeps one
 * that another tab selected from newer options.
 */
function useAvailablePickup(
  { schedule, pickup }: Cart,
  options: { slots: readonly string[]; curbside: boolean } | undefined,
  onChange: (changed: Partial<Cart>) => void,
): void {
  const selected = useRef({ schedule, pickup });
  useEffect(() => {
    selected.current = { schedule, pickup };
  }, [schedule, pickup]);
  useEffect(() => {
    if (!options) return;
    const { schedule: time, pickup: kind } = selected.current;
    if (time !== "" && !options.slots.includes(time)) {
      onChange({ schedule: "" });
      toast("Your pickup time isn't available anymore. Please check the new one.");
    }
    if (kind === "curbside" && !options.curbside) {
      onChange({ pickup: "counter" });
      toast("This store stopped curbside pickup. Pick up at the counter.");
    }
  }, [options, onChange]);
}
