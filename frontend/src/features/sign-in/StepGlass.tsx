import type { ReactNode } from "react";
import { DrinkArt } from "@/art/DrinkArt";
import { artFor } from "@/art/recipes/art-for";

/** Loaded after the text of the screen. */
export default function StepGlass({ fill }: { fill: number }): ReactNode {
  const drink = artFor(
    "latte",
    { size: 1, iced: true, milk: "oat" },
    { fill, pour: fill > 0 && fill < 1, pourFrom: -60 },
  );
  return (
    <div className="absolute inset-x-0 bottom-0 mx-auto h-46 w-41">
      <DrinkArt params={drink} box="10 36 220 250" animate />
    </div>
  );
}
