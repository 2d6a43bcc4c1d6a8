import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import ChevronRight from "lucide-react/icons/chevron-right";
import type { ReactNode } from "react";
import { formatMoney } from "@/lib/money";
import { LoadError } from "@/shell/LoadError";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";
import { Sheet } from "@/ui/Sheet";
import { Loading, SkeletonLine } from "@/ui/Skeleton";
import { Tag } from "@/ui/Tag";
import { formatChoiceName, formatGroupRule } from "./format";
import { modificationChoiceQuery, modificationQuery } from "./option-queries";
import type { Choice, Group, Item } from "./queries";
import { canAdd, countSelected, getQuantity, type Selection, setChoiceQuantity } from "./selection";

interface OptionSheetProps {
  storeId: string;
  item: Item;
  selection: Selection;
  onChange: (next: Selection) => void;
  onClose: () => void;
  groupId: string;
  /** Undefined for the whole group. */
  choiceId: string | undefined;
}

/** An option group, or one choice of it, with prices, calories and allergens at the selected size. */
export function OptionSheet(props: OptionSheetProps): ReactNode {
  return props.choiceId === undefined ? (
    <GroupSheet {...props} />
  ) : (
    <ChoiceSheet {...props} choiceId={props.choiceId} />
  );
}

function GroupSheet({ storeId, item, selection, groupId, onClose }: OptionSheetProps): ReactNode {
  const { sizeId } = selection;
  const { data, error, refetch } = useQuery(modificationQuery(storeId, sizeId, groupId));
  const group = data?.modification;
  return (
    <Sheet
      open
      onClose={onClose}
      title={group?.name ?? "Options"}
      description={group && `${data.size.name} · ${formatGroupRule(group, countSelected(selection, group))}`}
    >
      {error && !group && <LoadError error={error} onRetry={refetch} />}
      {!group && !error && <SheetSkeleton />}
      {group && (
        <ul className="divide-y divide-line">
          {group.choices.map((choice) => (
            <li key={choice.choiceId}>
              <Link
                from="/store/$storeId/item/$itemId"
                to="."
                search={(current) => ({ ...current, choice: choice.choiceId })}
                replace
                className="flex min-h-15 items-center gap-3 py-2"
              >
                <span className="min-w-0 flex-1">
                  <span className={`t-strong block ${choice.soldOut ? "text-ink-3" : ""}`}>
                    {choice.name}
                  </span>
                  <span className="t-small num block text-ink-2">{formatDetails(choice).join(" · ")}</span>
                </span>
                {choice.soldOut && <Tag>Sold out today</Tag>}
                {isChosen(item, selection, choice) && <Tag tone="on">Chosen</Tag>}
                <ChevronRight aria-hidden="true" size={20} strokeWidth={1.75} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}

function ChoiceSheet({
  storeId,
  item,
  selection,
  onChange,
  onClose,
  groupId,
  choiceId,
}: OptionSheetProps & { choiceId: string }): ReactNode {
  const { sizeId } = selection;
  const { data, error, refetch } = useQuery(modificationChoiceQuery(storeId, sizeId, groupId, choiceId));
  const group = item.modifications.find(({ modificationId }) => modificationId === groupId);
  const choice = group?.choices.find((candidate) => candidate.choiceId === choiceId);
  return (
    <Sheet
      open
      onClose={onClose}
      title={data?.choice.name ?? "Option"}
      description={data && `${data.modificationName} · ${data.size.name}`}
      action={
        group &&
        choice && (
          <ChooseButton
            group={group}
            choice={choice}
            selection={selection}
            onChoose={(next) => {
              onChange(next);
              onClose();
            }}
          />
        )
      }
    >
      {error && !data && <LoadError error={error} onRetry={refetch} />}
      {!data && !error && <SheetSkeleton />}
      {data && (
        <ul className="num grid gap-1">
          {data.choice.soldOut && (
            <li>
              <Tag>Sold out today</Tag>
            </li>
          )}
          {formatDetails(data.choice).map((detail) => (
            <li key={detail}>{detail}</li>
          ))}
        </ul>
      )}
      <Link
        from="/store/$storeId/item/$itemId"
        to="."
        search={(current) => ({ ...current, choice: undefined })}
        replace
        className={buttonVariants("link")}
      >
        All {group?.name.toLowerCase() ?? "options"}
      </Link>
    </Sheet>
  );
}

interface ChooseButtonProps {
  group: Group;
  choice: Choice;
  selection: Selection;
  onChoose: (next: Selection) => void;
}

function ChooseButton({ group, choice, selection, onChoose }: ChooseButtonProps): ReactNode {
  const quantity = getQuantity(selection, group, choice);
  const name = formatChoiceName(group, choice).toLowerCase();
  const label = choice.soldOut ? "Sold out today" : quantity > 0 ? `Chosen: ${name}` : `Choose ${name}`;
  return (
    <Button
      big
      disabled={choice.soldOut || quantity > 0 || !canAdd(selection, group, choice)}
      onClick={() => onChoose(setChoiceQuantity(selection, group, choice, 1))}
    >
      {label}
    </Button>
  );
}

/** Returns whether the customization contains a choice. */
function isChosen(item: Item, selection: Selection, { choiceId }: Choice): boolean {
  return item.modifications.some((group) =>
    group.choices.some(
      (choice) =>
        choice.choiceId === choiceId && getQuantity(selection, group, choice) > 0 && !choice.soldOut,
    ),
  );
}

/** Returns price, calories and allergens of a choice at one size. */
function formatDetails({ prices: [price], calories, allergens }: Choice): string[] {
  const amount = price?.price;
  return [
    amount && amount.currencyAmount > 0 ? `+${formatMoney(amount)}` : "No extra charge",
    calories === 0 ? "" : `${calories > 0 ? "+" : "−"}${Math.abs(calories)} Cal`,
    allergens.length > 0 ? `Contains ${allergens.join(", ")}` : "",
  ].filter(Boolean);
}

function SheetSkeleton(): ReactNode {
  return (
    <Loading label="Loading options">
      <div className="grid gap-4 py-2">
        <SkeletonLine className="w-full" />
        <SkeletonLine className="w-full" />
        <SkeletonLine className="w-2/3" />
      </div>
    </Loading>
  );
}
