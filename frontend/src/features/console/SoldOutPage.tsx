import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { LoadError } from "@/shell/LoadError";
import { Button } from "@/ui/Button";
import { TextInput } from "@/ui/Field";
import { SkeletonRows } from "@/ui/Skeleton";
import { useSetSoldOut } from "./mutations";
import { storeMenuQuery } from "./queries";
import { filterSwitches, groupSwitches, listSoldOut, type Switch } from "./sold-out";

type OnSwitch = (switched: Switch, soldOut: boolean) => void;

/** Marks items, sizes and choices as sold out or available. Consumers see it at once. */
export function SoldOutPage({ storeId }: { storeId: string }): ReactNode {
  const { data: menu, error, refetch } = useQuery(storeMenuQuery(storeId));
  const setSoldOut = useSetSoldOut(storeId);
  const [term, setTerm] = useState("");
  const onSwitch: OnSwitch = ({ subject, ids }, soldOut) => {
    for (const id of ids) setSoldOut.mutate({ subject, id, soldOut });
  };
  const groups = menu && groupSwitches(menu);
  const shown = groups && filterSwitches(groups, term);
  return (
    <main className="console-page">
      <h2 className="t-display">Sold out</h2>
      <p className="mt-1 text-ink-2">Turn off what's run out. Guests see it at once.</p>
      <div className="console-search">
        <TextInput
          label="Find an item, size or choice"
          type="search"
          value={term}
          onChange={(event) => setTerm(event.target.value)}
        />
      </div>
      {groups && <SoldOutNow switches={listSoldOut(groups)} onSwitch={onSwitch} />}
      {error && !menu && <LoadError error={error} onRetry={refetch} />}
      {!menu && !error && <SkeletonRows count={6} />}
      {shown?.length === 0 && <p className="py-4 text-ink-2">Nothing on the menu matches.</p>}
      <div className="console-columns">
        {shown?.map(({ name, switches }) => (
          <section key={name} aria-label={name} className="console-group">
            <h3 className="t-heading">{name}</h3>
            <ul className="divide-y divide-line">
              {switches.map((one) => (
                <li key={one.ids[0]} className="py-1">
                  <SwitchRow label={one.name} switched={one} onSwitch={onSwitch} />
                  {one.parts.length > 0 && <Sizes item={one} onSwitch={onSwitch} />}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </main>
  );
}

interface SoldOutNowProps {
  switches: readonly { label: string; switched: Switch }[];
  onSwitch: OnSwitch;
}

/** What is off now, so that it is switched on again without a search. */
function SoldOutNow({ switches, onSwitch }: SoldOutNowProps): ReactNode {
  if (switches.length === 0) return null;
  return (
    <section aria-label="Sold out now" className="console-off">
      <h3 className="t-small-strong">Sold out now</h3>
      <ul className="mt-2 flex flex-wrap gap-2">
        {switches.map(({ label, switched }) => (
          <li key={switched.ids[0]}>
            <Button
              variant="soft"
              aria-label={`${label}: available again`}
              onClick={() => onSwitch(switched, false)}
            >
              {label}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface SwitchProps {
  switched: Switch;
  onSwitch: OnSwitch;
}

function SwitchRow({ label, switched, onSwitch }: SwitchProps & { label: string }): ReactNode {
  const { soldOut } = switched;
  return (
    <label className="flex min-h-target cursor-pointer items-center justify-between gap-4">
      <span className="t-strong min-w-0">{label}</span>
      <span className="flex shrink-0 items-center gap-3">
        {soldOut && <span className="t-small text-ink-2">Sold out</span>}
        <input
          type="checkbox"
          className="console-switch"
          aria-label={`${label} available`}
          checked={!soldOut}
          onChange={() => onSwitch(switched, !soldOut)}
        />
      </span>
    </label>
  );
}

/** The sizes of an item as toggles. */
function Sizes({ item, onSwitch }: { item: Switch; onSwitch: OnSwitch }): ReactNode {
  return (
    <fieldset className="flex flex-wrap gap-2 pb-2">
      <legend className="sr-only">Sizes of {item.name}</legend>
      {item.parts.map((size) => (
        <button
          key={size.ids[0]}
          type="button"
          aria-pressed={!size.soldOut}
          aria-label={`${item.name}, ${size.name} available`}
          disabled={item.soldOut}
          onClick={() => onSwitch(size, !size.soldOut)}
          className="console-size t-small-strong"
        >
          {size.name}
        </button>
      ))}
    </fieldset>
  );
}
