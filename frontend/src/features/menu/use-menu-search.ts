import { useDeferredValue, useMemo } from "react";
import type { MenuSection } from "./queries";

/** The sections with the items that match a term in name or description; all of them for an empty one. */
export function useMenuSearch(sections: readonly MenuSection[], term: string): readonly MenuSection[] {
  // Typing stays quick: the list of drawings may follow a moment later.
  const wanted = plain(useDeferredValue(term)).trim();
  return useMemo(() => {
    if (wanted === "") return sections;
    return sections
      .map((section) => ({
        ...section,
        items: section.items.filter(({ name, description }) =>
          wanted.split(/\s+/).every((word) => plain(`${name} ${description}`).includes(word)),
        ),
      }))
      .filter(({ items }) => items.length > 0);
  }, [sections, wanted]);
}

/** Lower case without accents: "frappe" finds the Frappé. */
const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase();
