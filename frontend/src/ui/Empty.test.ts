import { expect, it } from "vitest";
import { drinkArt } from "@/art/drink-art";
import { artFor } from "@/art/recipes/art-for";

it("empty-cup.svg is up to date (update it with: npx vitest run Empty -u)", async () => {
  const espresso = artFor("espresso");
  const drawing = drinkArt({ ...espresso, size: 1.2, fill: 0.3, id: "e", box: "8 130 228 158" });
  await expect(`${drawing}\n`).toMatchFileSnapshot("./empty-cup.svg");
});
