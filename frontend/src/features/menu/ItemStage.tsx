import { type CSSProperties, type ReactNode, useMemo } from "react";
import { ItemArt } from "@/art/ItemArt";
import { artForSelection } from "@/art/selection";
import { parseItemArt } from "@/art/spec";
import { toneOf } from "@/art/tone";
import { type Callout, calloutsOf } from "./callouts";
import { changedChoices, sizeIndexOf } from "./cart-line";
import { spoken } from "./format";
import type { Item } from "./queries";
import type { Selection } from "./selection";
import "./item-stage.css";

/** The part of the sheet that the stage shows of a drink, and how many CSS pixels one unit of it is. */
const BOX = { x: 30, y: 50, width: 180, height: 250 };
const SCALE = 227 / BOX.width;
/** The same scale and counter, wider: saucers and food, which have no callouts beside them. */
const WIDE_BOX = "1 50 238 250";
/** Callouts closer than this would run into each other, in pixels. */
const APART = 50;

interface ItemStageProps {
  item: Item;
  selection: Selection;
  /** Over the drawing: back, and what else belongs to the item. */
  bar: ReactNode;
}

/** The drink on its counter, drawn from what is chosen, with callouts to the layers they name. */
export function ItemStage({ item, selection, bar }: ItemStageProps): ReactNode {
  const spec = useMemo(() => parseItemArt(item.art), [item.art]);
  const drawn = { sizeIndex: sizeIndexOf(item, selection), choices: changedChoices(item, selection) };
  const art = artForSelection(spec, drawn);
  const callouts = art.kind === "drink" ? calloutsOf(item, selection, art.params) : [];
  const tone = art.kind === "drink" ? toneOf(art.params) : "#EFDFC4";
  return (
    <section className="stage item-stage" style={{ "--tone": tone } as CSSProperties}>
      <div className="item-stage-bar">{bar}</div>
      <div className={callouts.length > 0 ? "item-stage-scene" : "item-stage-scene item-stage-alone"}>
        <ItemArt
          art={item.art}
          selection={drawn}
          animate
          title={spoken(item, selection)}
          box={callouts.length > 0 ? `${BOX.x} ${BOX.y} ${BOX.width} ${BOX.height}` : WIDE_BOX}
          className="item-stage-art"
        />
        {callouts.length > 0 && <Callouts callouts={callouts} />}
      </div>
    </section>
  );
}

/** The drawing says the same to who cannot see it, so these are for the eye only. */
function Callouts({ callouts }: { callouts: readonly Callout[] }): ReactNode {
  const places = spread(callouts.map(({ at }) => (BOX.y + BOX.height - at.y) * SCALE));
  return (
    <ul aria-hidden="true" className="item-stage-callouts">
      {callouts.map(({ name, what, at }, i) => (
        <li
          key={name}
          style={
            {
              "--bottom": `${places[i]}px`,
              "--from": `${(at.x - BOX.x - 6) * SCALE}px`,
            } as CSSProperties
          }
        >
          <i />
          <span>
            <b>{name}</b>
            {what}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Heights above the foot, from the top down, moved apart where they are too close. */
function spread(heights: readonly number[]): number[] {
  const apart: number[] = [];
  for (const height of [...heights].reverse()) {
    apart.push(Math.max(height, (apart.at(-1) ?? -APART) + APART, 26));
  }
  return apart.reverse();
}
