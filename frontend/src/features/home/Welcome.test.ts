import { expect, it } from "vitest";
import { drinkArt } from "@/art/drink-art";
import { artForSelection } from "@/art/selection";
import { parseItemArt } from "@/art/spec";

it("welcome-latte.svg is up to date (update it with: npx vitest run Welcome -u)", async () => {
  const spec = parseItemArt({ kind: "drink", base: "latte", iced: true, milk: "oat" });
  const latte = artForSelection(spec, { sizeIndex: 1 });
  if (latte.kind !== "drink") throw new Error("a latte is a drink");
  const drawing = drinkArt({ ...latte.params, box: "44 10 152 282", id: "w" });
  await expect(`${drawing}\n`).toMatchFileSnapshot("./welcome-latte.svg");
});
