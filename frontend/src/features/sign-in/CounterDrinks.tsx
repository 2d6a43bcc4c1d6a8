import type { ReactNode } from "react";
import { DrinkArt } from "@/art/DrinkArt";
import { artFor } from "@/art/recipes/art-for";

/** Where each stands: its left edge in px from the middle of the scene, and who is in front. */
const STANDING = [
  { left: -259, front: 1, drink: artFor("matcha", { size: 0, iced: true }) },
  { left: -153, front: 2, drink: artFor("cappuccino", { size: 1, lid: "sip" }) },
  { left: -63, front: 3, drink: artFor("latte", { size: 2, iced: true, milk: "oat" }) },
  { left: 45, front: 2, drink: artFor("latte", { size: 1, here: true }) },
];

/** Four drawings on one counter, loaded after the screen's words. */
export default function CounterDrinks(): ReactNode {
  return STANDING.map(({ left, front, drink }) => (
    <div
      key={left}
      className="absolute -bottom-0.5 h-67 w-48"
      style={{ left: `calc(50% + ${left}px)`, zIndex: front }}
    >
      <DrinkArt params={drink} box="30 50 180 250" />
    </div>
  ));
}
