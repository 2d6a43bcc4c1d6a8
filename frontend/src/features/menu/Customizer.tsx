import Info from "lucide-react/icons/info";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { formatMoney, type Money } from "@/lib/money";
import { BottomBar, Page } from "@/shell/Page";
import type { CartLine } from "@/state/cart";
import { Button } from "@/ui/Button";
import { TextInput } from "@/ui/Field";
import { Stepper } from "@/ui/Stepper";
import { Tag } from "@/ui/Tag";
import { toCartLine } from "./cart-line";
import { spoken } from "./format";
import { ItemStage } from "./ItemStage";
import { headingId, OptionGroup } from "./OptionGroup";
import { allergensOf, caffeineOf, caloriesOf, unitPrice } from "./pricing";
import type { Item } from "./queries";
import { SizePicker } from "./SizePicker";
import {
  defaultSelection,
  firstIncompleteGroup,
  type Selection,
  selectionFromLine,
  sizeOf,
} from "./selection";

/** The most of one line, and the longest note, as the server has them. */
const MOST = 20;
const LONGEST_NOTE = 200;

interface CustomizerProps {
  item: Item;
  /** The line of the cart that is being changed; none for a new one. */
  line?: CartLine | undefined;
  /** The way back, over the drawing. */
  back: ReactNode;
  onSubmit: (line: Omit<CartLine, "lineId">) => void;
}

/** Makes an item one's own: size, groups, how many. The drawing and the price follow every press. */
export function Customizer({ item, line, back, onSubmit }: CustomizerProps): ReactNode {
  const [selection, setSelection] = useState(() =>
    line ? selectionFromLine(item, line) : defaultSelection(item),
  );
  const [quantity, setQuantity] = useState(line?.quantity ?? 1);
  const [note, setNote] = useState(line?.note ?? "");
  const unit = unitPrice(item, selection);
  const total = { ...unit, currencyAmount: unit.currencyAmount * quantity };
  const missing = firstIncompleteGroup(item, selection);
  const out = item.soldOut || sizeOf(item, selection)?.soldOut !== false;
  const press = () => {
    if (!missing) return onSubmit(toCartLine(item, selection, quantity, note.trim()));
    const heading = document.getElementById(headingId(missing));
    heading?.scrollIntoView({ behavior: "smooth", block: "center" });
    heading?.focus({ preventScroll: true });
  };
  const label = out
    ? "Sold out today"
    : missing
      ? `Choose ${missing.name.toLowerCase()}`
      : `${line ? "Update cart" : "Add to cart"} · ${formatMoney(total)}`;
  return (
    <Page
      header={<ItemStage item={item} selection={selection} bar={back} />}
      bar={
        <BottomBar>
          <Stepper label="Quantity" value={quantity} onChange={setQuantity} min={1} max={MOST} big />
          <Button big disabled={out} onClick={press}>
            <span className="num">{label}</span>
          </Button>
        </BottomBar>
      }
    >
      <div className="item-counter">
        <Facts item={item} selection={selection} />
        <div className="px-gutter pt-4">
          <SizePicker
            item={item}
            selection={selection}
            onChange={(sizeId) => setSelection((now) => ({ ...now, sizeId }))}
          />
        </div>
        {item.modifications.map((group) => (
          <OptionGroup
            key={group.modificationId}
            group={group}
            selection={selection}
            onChange={setSelection}
          />
        ))}
        <div className="px-gutter pt-6">
          <TextInput
            label="Note for the barista"
            hint="Optional. Please tell the barista about allergies."
            maxLength={LONGEST_NOTE}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </div>
        <p className="t-small flex gap-2.5 px-gutter pt-6 text-ink-2">
          <Info aria-hidden="true" size={20} strokeWidth={1.75} className="mt-px shrink-0" />
          We handle milk, nuts, soy and wheat. If you have an allergy, please tell the barista when you pick
          up.
        </p>
      </div>
      <Announced words={spoken(item, selection)} total={total} />
    </Page>
  );
}

function Facts({ item, selection }: { item: Item; selection: Selection }): ReactNode {
  const allergens = allergensOf(item, selection);
  const caffeine = caffeineOf(item, selection);
  return (
    <div className="px-gutter">
      <h1 tabIndex={-1} className="t-display">
        {item.name}
      </h1>
      {item.description && <p className="mt-1 text-ink-2">{item.description}</p>}
      <p className="mt-2.5 flex flex-wrap gap-1.5">
        <Tag>
          <span className="num">{caloriesOf(item, selection)} kcal</span>
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

/** After this long without another press, what was made is read out. */
const PAUSE_MS = 700;

/** Reads out the whole drink and its price once the person pauses; nothing at first, as the heading says it then. */
function Announced({ words, total }: { words: string; total: Money }): ReactNode {
  const text = `${words}. ${formatMoney(total)}`;
  const first = useRef(text);
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (text === first.current) return;
    const timer = setTimeout(() => {
      first.current = "";
      setSaid(text);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  );
}
