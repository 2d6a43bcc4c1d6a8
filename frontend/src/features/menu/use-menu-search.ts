import { useDeferredValue, useMemo } from "react";
import type { MenuSection } from "./queries";

/** Returns the sections with the items that match by name or description; all sections for an empty term. */
export function useMenuSearch(sections: readonly MenuSection[], term: string): readonly MenuSection[] {
  // Deferred, so that rendering the drawings does not block typing.
  const query = normalize(useDeferredValue(term)).trim();
  return useMemo(() => {
    if (query === "") return sections;
    return sections
      .map((section) => ({
        ...section,
        items: section.items.filter(({ name, description }) =>
          query.split(/\s+/).every((word) => normalize(`${name} ${description}`).includes(word)),
        ),
      }))
      .filter(({ items }) => items.length > 0);
  }, [sections, query]);
}

/** Lower-cases and removes accents, so that "frappe" matches "Frappé". */
const normalize = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase();
