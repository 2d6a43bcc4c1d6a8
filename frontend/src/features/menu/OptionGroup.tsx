import { type ReactNode, useState } from "react";
import { cents, formatMoney } from "@/lib/money";
import { Chips, ChipToggle, Swatch } from "@/ui/Chip";
import { Stepper } from "@/ui/Stepper";
import { formatGroupRule, getUnit } from "./format";
import { calculateAddedCost, getChoicePrice } from "./pricing";
import type { Choice, Group } from "./queries";
import {
  canAdd,
  canRemove,
  countSelected,
  getQuantity,
  getSelectionMode,
  type Selection,
  setChoiceQuantity,
} from "./selection";
import { getSwatch } from "./swatch";

interface OptionGroupProps {
  /** A link to the details of the group. */
  about?: ReactNode;
  group: Group;
  selection: Selection;
  onChange: (next: Selection) => void;
}

/** A group of choices with its limit. Its heading takes the focus if a choice is missing. */
export function OptionGroup(props: OptionGroupProps): ReactNode {
  const { group, selection } = props;
  const Choices = { single: SingleChoice, multiple: MultipleChoice, counted: CountedChoices }[
    getSelectionMode(group)
  ];
  return (
    <section aria-labelledby={headingId(group)} className="px-gutter pt-6">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-3 gap-y-0.5">
        <div className="flex items-center gap-1">
          <h2 id={headingId(group)} tabIndex={-1} className="t-heading scroll-mt-4 outline-none">
            {group.name}
          </h2>
          {props.about}
        </div>
        <span className="t-small num whitespace-nowrap text-ink-2">
          {formatGroupRule(group, countSelected(selection, group))}
        </span>
      </div>
      <Choices {...props} />
    </section>
  );
}

export const headingId = (group: Group): string => `group-${group.modificationId}`;

function SingleChoice({ group, selection, onChange }: OptionGroupProps): ReactNode {
  const selected = group.choices.find((choice) => getQuantity(selection, group, choice) > 0);
  return (
    <Chips
      label={group.name}
      value={selected?.choiceId ?? null}
      onChange={(id) => {
        const choice = group.choices.find(({ choiceId }) => choiceId === id);
        if (choice) onChange(setChoiceQuantity(selection, group, choice, 1));
      }}
      options={group.choices.map((choice) => ({
        value: choice.choiceId,
        label: choice.name,
        detail: choice.soldOut ? "sold out" : formatExtra(calculateAddedCost(selection, group, choice)),
        swatch: choice.soldOut ? undefined : getSwatch(choice.artKey),
        disabled: choice.soldOut,
      }))}
    />
  );
}

function MultipleChoice({ group, selection, onChange }: OptionGroupProps): ReactNode {
  return (
    <div className="flex flex-wrap gap-2">
      {group.choices.map((choice) => {
        const on = getQuantity(selection, group, choice) > 0;
        const price = formatExtra(calculateAddedCost(selection, group, choice)) ?? "free";
        return (
          <ChipToggle
            key={choice.choiceId}
            on={on}
            onChange={() => onChange(setChoiceQuantity(selection, group, choice, on ? 0 : 1))}
            swatch={choice.soldOut ? undefined : getSwatch(choice.artKey)}
            detail={choice.soldOut ? "sold out" : price}
            disabled={on ? !canRemove(selection, group, choice) : !canAdd(selection, group, choice)}
          >
            {choice.name}
          </ChipToggle>
        );
      })}
    </div>
  );
}

/** Long lists start with the first choices and the selected ones. */
const INITIAL_COUNT = 4;

function CountedChoices({ group, selection, onChange }: OptionGroupProps): ReactNode {
  const [showAll, setShowAll] = useState(group.choices.length <= INITIAL_COUNT + 1);
  const isSelected = (choice: Choice) => getQuantity(selection, group, choice) > 0;
  const visible = group.choices.filter(
    (choice, index) => showAll || index < INITIAL_COUNT || isSelected(choice),
  );
  const hidden = group.choices.length - visible.length;
  return (
    <div className="divide-y divide-line">
      {visible.map((choice) => (
        <CountedRow
          key={choice.choiceId}
          group={group}
          choice={choice}
          selection={selection}
          onChange={onChange}
        />
      ))}
      {hidden > 0 && (
        <button
          type="button"
          onClick={() => setShowAll(true)}
          className="t-strong min-h-target w-full text-left text-accent"
        >
          Show {hidden} more
        </button>
      )}
    </div>
  );
}

function CountedRow({
  group,
  choice,
  selection,
  onChange,
}: OptionGroupProps & { choice: Choice }): ReactNode {
  const quantity = getQuantity(selection, group, choice);
  const swatch = getSwatch(choice.artKey);
  const change = (next: number) => onChange(setChoiceQuantity(selection, group, choice, next));
  return (
    <div className="flex min-h-15 items-center gap-3 py-1">
      {swatch && <Swatch color={swatch} />}
      <span className="min-w-0 flex-1">
        <span className={`t-strong block ${choice.soldOut ? "text-ink-3" : ""}`}>{choice.name}</span>
        <span className="t-small num block text-ink-2">
          {choice.soldOut ? "sold out" : formatNextPrice(group, choice, selection)}
        </span>
      </span>
      {!choice.soldOut && (
        <Stepper
          label={choice.name}
          value={quantity}
          onChange={change}
          min={canRemove(selection, group, choice) ? 0 : quantity}
          max={canAdd(selection, group, choice) ? choice.maxQuantity : quantity}
          collapsible
        />
      )}
    </div>
  );
}

/** Formats the price of one more: "$0.30 a pump", "free", or "included" while it costs nothing. */
function formatNextPrice(group: Group, choice: Choice, selection: Selection): string {
  const unit = getUnit(group);
  const each = getChoicePrice(choice, selection.sizeId);
  if (each === 0) return "free";
  const next = calculateAddedCost(selection, group, choice);
  if (next === 0 && canAdd(selection, group, choice)) return "included";
  return `${formatMoney(cents(each))} ${unit ? `a ${unit}` : "each"}`;
}

const formatExtra = (amount: number): string | undefined =>
  amount > 0 ? `+${formatMoney(cents(amount))}` : undefined;
