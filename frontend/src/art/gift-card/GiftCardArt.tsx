import { memo, type ReactNode } from "react";
import { DrinkArt } from "../DrinkArt";
import { FoodArt } from "../FoodArt";
import { SvgText } from "../SvgText";
import { type CardDesign, findCardDesign } from "./designs";
import "./gift-card-art.css";

interface GiftCardArtProps {
  /** The name of the design; unknown names are drawn as the classic one. */
  design: string | null;
  /** Below 72 px wide, details are omitted. */
  small?: boolean;
}

/** The drawing of a gift card: drinks on a counter before a decorated wall. Decorative; text beside it names the card. */
export const GiftCardArt = memo(function GiftCardArt({ design, small = false }: GiftCardArtProps): ReactNode {
  const { wall, counter, pattern, items } = findCardDesign(design);
  const [light, color] = wall;
  return (
    <span
      aria-hidden="true"
      className="gift-card-art"
      style={{ background: `radial-gradient(90% 120% at 42% 62%, ${light}, ${color})` }}
    >
      <SvgText
        className="gift-card-art__pattern"
        text={`<svg viewBox="0 0 320 180" preserveAspectRatio="xMidYMid slice">${pattern}</svg>`}
      />
      <span className="gift-card-art__counter" style={{ background: counter }} />
      {items.map((item) => (
        <span
          key={item.left}
          className="gift-card-art__item"
          style={{ left: `${item.left}%`, width: `${item.width}%` }}
        >
          <CardItem item={item} small={small} />
        </span>
      ))}
    </span>
  );
});

/** Crops the sheet to the drawing, with the counter at the same height for all. */
const BOX = "24 14 192 280";

function CardItem({ item, small }: { item: CardDesign["items"][number]; small: boolean }): ReactNode {
  const detail = small ? "small" : "full";
  return "drink" in item ? (
    <DrinkArt params={{ ...item.drink, detail }} box={BOX} />
  ) : (
    <FoodArt params={{ ...item.food, detail }} box={BOX} />
  );
}
