import type { ReactNode } from "react";
import { drinkArt } from "@/art/drink-art";
import { artFor } from "@/art/recipes/art-for";

/** Where each stands: its left edge in px from the middle of the scene, and who is in front. */
const STANDING = [
  { left: -259, front: 1, art: artFor("matcha", { size: 0, iced: true }) },
  { left: -153, front: 2, art: artFor("cappuccino", { size: 1, lid: "sip" }) },
  { left: -63, front: 3, art: artFor("latte", { size: 2, iced: true, milk: "oat" }) },
  { left: 45, front: 2, art: artFor("latte", { size: 1, here: true }) },
];

/** Four drawings on one counter, loaded after the screen's words. */
export default function CounterDrinks(): ReactNode {
  return STANDING.map(({ left, front, art }) => (
    <div
      key={left}
      aria-hidden="true"
      className="absolute bottom-1 h-60 w-43"
      style={{ left: `calc(50% + ${left}px)`, zIndex: front }}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by our own code from constants
      dangerouslySetInnerHTML={{ __html: drinkArt({ ...art, box: "30 50 180 250" }) }}
    />
  ));
}
