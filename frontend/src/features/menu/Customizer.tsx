import Info from "lucide-react/icons/info";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { limits } from "@/api/limits.gen";
import { formatMoney, type Money } from "@/lib/money";
import { BottomBar, Page } from "@/shell/Page";
import type { CartLine } from "@/state/cart";
import { Button } from "@/ui/Button";
import { TextInput } from "@/ui/Field";
import { Stepper } from "@/ui/Stepper";
import { Tag } from "@/ui/Tag";
import { toCartLine } from "./cart-line";
import { describeSelection } from "./format";
import { ItemStage } from "./ItemStage";
import { getItemDraft, useItemDraft } from "./item-draft";
import { headingId, OptionGroup } from "./OptionGroup";
import { calculateCalories, calculateUnitPrice, getCaffeine, listAllergens } from "./pricing";
import type { Group, Item } from "./queries";
import { SizePicker } from "./SizePicker";
import { SoldOutNotice } from "./SoldOutNotice";
import { StickyDrawing } from "./StickyDrawing";
import {
  createDefaultSelection,
  createSelectionFromLine,
  findIncompleteGroup,
  findSize,
  isOnlySizeSoldOut,
  removeSoldOutChoices,
  type Selection,
  selectSize,
} from "./selection";

interface CustomizerProps {
  item: Item;
  /** Keeps the customization of the item while the consumer is on another screen; undefined for a cart line. */
  draftKey: string | undefined;
  /** The cart line to edit; undefined for a new one. */
  line?: CartLine | undefined;
  /** The customization to start with; the defaults if undefined. */
  initial?: Pick<CartLine, "sizeId" | "choices" | "note"> | undefined;
  /** The size to start with. */
  initialSizeId?: string | undefined;
  /** Renders the button that saves the customization. */
  usual?: (line: Omit<CartLine, "lineId">) => ReactNode;
  /** A message above the sizes. */
  guide?: ReactNode;
  /** Renders a link to the details of a group. */
  about?: (group: Group) => ReactNode;
  /** Renders a sheet over the screen. */
  sheet?: (selection: Selection, onChange: (next: Selection) => void) => ReactNode;
  /** The back button over the drawing. */
  back: ReactNode;
  onSubmit: (line: Omit<CartLine, "lineId">) => void;
}

/** Customizes an item: size, choices, quantity and note. Drawing and price follow each change. */
export function Customizer(props: CustomizerProps): ReactNode {
  const { item, draftKey, line, back, onSubmit } = props;
  const [draft] = useState(() => getItemDraft(draftKey));
  const initial = draft ?? line ?? props.initial;
  const [chosen, setSelection] = useState(() =>
    selectSize(
      item,
      initial ? createSelectionFromLine(item, initial) : createDefaultSelection(item),
      props.initialSizeId,
    ),
  );
  // The item is refetched while the screen is open, and a choice may be sold out by now.
  const selection = removeSoldOutChoices(item, chosen);
  const [quantity, setQuantity] = useState(draft?.quantity ?? line?.quantity ?? 1);
  const [note, setNote] = useState(initial?.note ?? "");
  const stage = useRef<HTMLElement>(null);
  const unit = calculateUnitPrice(item, selection);
  const current = toCartLine(item, selection, quantity, note.trim());
  const total = unit && { ...unit, currencyAmount: unit.currencyAmount * quantity };
  const incomplete = findIncompleteGroup(item, selection);
  const needsSize = !item.soldOut && isOnlySizeSoldOut(item, selection);
  const soldOut = !total || item.soldOut || (!needsSize && findSize(item, selection)?.soldOut === true);
  useItemDraft(draftKey, current);
  const submit = () => {
    if (needsSize) return scrollTo(SIZES_ID);
    if (incomplete) return scrollTo(headingId(incomplete));
    if (current) onSubmit(current);
  };
  const label = soldOut
    ? "Sold out today"
    : needsSize
      ? "Choose another size"
      : incomplete
        ? `Choose ${incomplete.name.toLowerCase()}`
        : undefined;
  return (
    <Page
      header={
        <ItemStage
          ref={stage}
          item={item}
          selection={selection}
          bar={
            <>
              {back}
              {current && !incomplete && !needsSize && props.usual?.(current)}
            </>
          }
        />
      }
      bar={
        <BottomBar>
          <Stepper
            label="Quantity"
            value={quantity}
            onChange={setQuantity}
            min={1}
            max={limits.lineQuantity}
            big
          />
          <Button big disabled={soldOut} onClick={submit}>
            <span className="num">{label ?? <SubmitLabel isEdit={line !== undefined} total={total} />}</span>
          </Button>
        </BottomBar>
      }
    >
      <StickyDrawing item={item} selection={selection} stage={stage} />
      <div className="item-counter">
        <ItemDetails item={item} selection={selection} />
        {props.guide}
        <SoldOutNotice item={item} chosen={chosen} />
        <div id={SIZES_ID} tabIndex={-1} className="scroll-mt-4 px-gutter pt-4 outline-none">
          <SizePicker
            item={item}
            selection={selection}
            onChange={(sizeId) => setSelection({ ...selection, sizeId })}
          />
        </div>
        {item.modifications.map((group) => (
          <OptionGroup
            key={group.modificationId}
            group={group}
            about={props.about?.(group)}
            selection={selection}
            onChange={setSelection}
          />
        ))}
        <div className="px-gutter pt-6">
          <TextInput
            label="Note for the barista"
            hint="Optional. Please tell the barista about allergies."
            maxLength={limits.noteLength}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </div>
        <p className="t-small flex gap-2.5 px-gutter pt-6 text-ink-2">
          <Info aria-hidden="true" size={20} strokeWidth={1.75} className="mt-px shrink-0" />
          Our bar handles milk, nuts, soy and wheat, so we can't rule out traces.
        </p>
      </div>
      {props.sheet?.(selection, setSelection)}
      {total && <SelectionAnnouncement text={describeSelection(item, selection)} total={total} />}
    </Page>
  );
}

/** "Add to cart · $5.00". Short on the narrowest phones, where the whole text would need two lines. */
function SubmitLabel({ isEdit, total }: { isEdit: boolean; total: Money | undefined }): ReactNode {
  return (
    <>
      {isEdit ? "Update " : "Add "}
      <span className="max-[374px]:sr-only">{isEdit ? "cart" : "to cart"}</span>
      {total && ` · ${formatMoney(total)}`}
    </>
  );
}

function ItemDetails({ item, selection }: { item: Item; selection: Selection }): ReactNode {
  const allergens = listAllergens(item, selection);
  const caffeine = getCaffeine(item, selection);
  return (
    <div className="px-gutter">
      <h1 tabIndex={-1} className="t-display">
        {item.name}
      </h1>
      {item.description && <p className="mt-1 text-ink-2">{item.description}</p>}
      <p className="mt-2.5 flex flex-wrap gap-1.5">
        <Tag>
          <span className="num">{calculateCalories(item, selection)} Cal</span>
        </Tag>
        {allergens.length > 0 && <Tag>Contains {allergens.join(", ")}</Tag>}
        {caffeine !== null && (
          <Tag>
            <span className="num">{caffeine} mg caffeine</span>
          </Tag>
        )}
      </p>
    </div>
  );
}

const SIZES_ID = "sizes";

function scrollTo(id: string): void {
  const element = document.getElementById(id);
  element?.scrollIntoView({ behavior: "smooth", block: "center" });
  element?.focus({ preventScroll: true });
}

const ANNOUNCEMENT_DELAY_MS = 700;

/** Announces the whole item and its price after the last change. Silent at first, because the heading is announced then. */
function SelectionAnnouncement({ text, total }: { text: string; total: Money }): ReactNode {
  const announcement = `${text}. ${formatMoney(total)}`;
  const initial = useRef(announcement);
  const [announced, setAnnounced] = useState("");
  useEffect(() => {
    if (announcement === initial.current) return;
    const timer = setTimeout(() => {
      initial.current = "";
      setAnnounced(announcement);
    }, ANNOUNCEMENT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [announcement]);
  return (
    <p role="status" className="sr-only">
      {announced}
    </p>
  );
}
