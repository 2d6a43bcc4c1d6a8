import type { ReactNode } from "react";
import { DrinkArt } from "@/art/DrinkArt";
import type { DrinkParams } from "@/art/drink";
import { FoodArt } from "@/art/FoodArt";
import type { FoodParams } from "@/art/food-art";
import { GiftCardArt } from "@/art/gift-card/GiftCardArt";
import { artFor } from "@/art/recipes/art-for";

/** Left edge in px from the center, stacking order, and drawing. */
interface Item {
  left: number;
  zIndex: number;
  drink?: DrinkParams;
  food?: FoodParams;
}

const latte = artFor("latte", { size: 2, iced: true, milk: "oat" });
const cup = artFor("latte", { size: 1, here: true });

/** The pictures by their names in the data. Unknown names show the cup. */
const PICTURES: Readonly<Record<string, readonly Item[]>> = {
  cup: [{ left: -96, zIndex: 1, drink: latte }],
  beans: [
    { left: -170, zIndex: 1, food: { kind: "beans" } },
    { left: -10, zIndex: 2, drink: cup },
  ],
  storefront: [
    { left: -230, zIndex: 1, drink: artFor("cappuccino", { size: 1, lid: "sip" }) },
    { left: -96, zIndex: 3, drink: latte },
    { left: 30, zIndex: 2, food: { kind: "croissant" } },
  ],
  friends: [
    { left: -180, zIndex: 1, drink: cup },
    { left: -20, zIndex: 2, drink: latte },
  ],
};

/** The pictures of shared links. The gateway has the same list (`web/page.rs`). */
const SHARE_IMAGES: Readonly<Record<string, string>> = {
  cup: "lp-cup",
  beans: "lp-beans",
  friends: "lp-friends",
  storefront: "lp-storefront",
  gift: "gift-cards",
};

/** Returns the picture of links to a landing page with this picture. */
export function shareImage(picture: string): string | undefined {
  return Object.hasOwn(SHARE_IMAGES, picture) ? SHARE_IMAGES[picture] : undefined;
}

/** The drawing of a landing page, on a counter. */
export function LandingPicture({ name }: { name: string }): ReactNode {
  if (name === "gift") {
    return (
      <div aria-hidden="true" className="counter-scene grid h-72 place-items-center px-gutter">
        <div className="w-full max-w-80 overflow-hidden rounded-card shadow-float">
          <GiftCardArt design={null} />
        </div>
      </div>
    );
  }
  const items = (Object.hasOwn(PICTURES, name) && PICTURES[name]) || PICTURES.cup || [];
  return (
    <div aria-hidden="true" className="counter-scene relative h-72 overflow-hidden">
      <div className="absolute inset-x-0 bottom-0 h-9 border-line border-t bg-counter" />
      {items.map(({ left, zIndex, drink, food }) => (
        <div
          key={left}
          className="absolute -bottom-0.5 h-67 w-48 [&_svg]:overflow-visible"
          style={{ left: `calc(50% + ${left}px)`, zIndex }}
        >
          {drink && <DrinkArt params={drink} box="30 50 180 250" />}
          {food && <FoodArt params={food} box="30 50 180 250" />}
        </div>
      ))}
    </div>
  );
}
