import { type ReactNode, type Ref, useMemo } from "react";
import { ItemArt } from "@/art/ItemArt";
import { artForSelection } from "@/art/selection";
import { parseItemArt } from "@/art/spec";
import { getTone } from "@/art/tone";
import { type Callout, createCallouts } from "./callouts";
import { findSizeIndex, listChangedChoices } from "./cart-line";
import { describeSelection } from "./format";
import type { Item } from "./queries";
import type { Selection } from "./selection";
import "./item-stage.css";

/** The visible part of the drawing of a drink, and its scale in CSS px. */
const BOX = { x: 30, y: 50, width: 180, height: 250 };
const SCALE = 227 / BOX.width;
/** Wider, for saucers and food, which have no callouts. */
const WIDE_BOX = "1 50 238 250";
/** The minimum distance between callouts in px. */
const MIN_DISTANCE = 50;

interface ItemStageProps {
  item: Item;
  selection: Selection;
  /** Buttons over the drawing. */
  bar: ReactNode;
  ref?: Ref<HTMLElement>;
}

/** The drawing of the selection, with callouts for drinks. */
export function ItemStage({ item, selection, bar, ref }: ItemStageProps): ReactNode {
  const spec = useMemo(() => parseItemArt(item.art), [item.art]);
  const artSelection = {
    sizeIndex: findSizeIndex(item, selection),
    choices: listChangedChoices(item, selection),
  };
  const art = artForSelection(spec, artSelection);
  const callouts = art.kind === "drink" ? createCallouts(item, selection, art.params) : [];
  const tone = art.kind === "drink" ? getTone(art.params) : "#EFDFC4";
  return (
    <section ref={ref} className="stage item-stage" style={{ "--tone": tone }}>
      <div className="item-stage-bar">{bar}</div>
      <div className={callouts.length > 0 ? "item-stage-scene" : "item-stage-scene item-stage-alone"}>
        <ItemArt
          art={item.art}
          selection={artSelection}
          animate
          title={describeSelection(item, selection)}
          box={callouts.length > 0 ? `${BOX.x} ${BOX.y} ${BOX.width} ${BOX.height}` : WIDE_BOX}
          className="item-stage-art"
        />
        {callouts.length > 0 && <Callouts callouts={callouts} />}
      </div>
    </section>
  );
}

/** Hidden from screen readers, because the title of the drawing has the same information. */
function Callouts({ callouts }: { callouts: readonly Callout[] }): ReactNode {
  const positions = spread(callouts.map(({ at }) => (BOX.y + BOX.height - at.y) * SCALE));
  return (
    <ul aria-hidden="true" className="item-stage-callouts">
      {callouts.map(({ name, detail, at }, i) => (
        <li
          key={name}
          style={{ "--bottom": `${positions[i]}px`, "--from": `${(at.x - BOX.x - 6) * SCALE}px` }}
        >
          <i />
          <span>
            <b>{name}</b>
            {detail}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Moves callouts apart that are too close. Heights above the counter, from top to bottom. */
function spread(heights: readonly number[]): number[] {
  const result: number[] = [];
  for (const height of [...heights].reverse()) {
    result.push(Math.max(height, (result.at(-1) ?? -MIN_DISTANCE) + MIN_DISTANCE, 26));
  }
  return result.reverse();
}
