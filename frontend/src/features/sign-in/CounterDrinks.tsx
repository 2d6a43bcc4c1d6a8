import type { ReactNode } from "react";
import { DrinkArt } from "@/art/DrinkArt";
import { artFor } from "@/art/recipes/art-for";

/** Left edge in px from the center, stacking order, and drink. */
const DRINKS = [
  { left: -259, zIndex: 1, drink: artFor("matcha", { size: 0, iced: true }) },
  { left: -153, zIndex: 2, drink: artFor("cappuccino", { size: 1, lid: "sip" }) },
  { left: -63, zIndex: 3, drink: artFor("latte", { size: 2, iced: true, milk: "oat" }) },
  { left: 45, zIndex: 2, drink: artFor("latte", { size: 1, here: true }) },
];

/** Four drinks on a counter. Loaded after the text of the screen. */
export default function CounterDrinks(): ReactNode {
  return DRINKS.map(({ left, zIndex, drink }) => (
    <div
      key={left}
      className="absolute -bottom-0.5 h-67 w-48 [&_svg]:overflow-visible"
      style={{ left: `calc(50% + ${left}px)`, zIndex }}
    >
      {/* The shadow of the saucer is wider than the box. */}
      <DrinkArt params={drink} box="30 50 180 250" />
    </div>
  ));
}
