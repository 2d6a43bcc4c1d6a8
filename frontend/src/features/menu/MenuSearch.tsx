import Search from "lucide-react/icons/search";
import { type ReactNode, useEffect, useRef } from "react";
import type { MenuSection } from "./queries";

interface MenuSearchProps {
  term: string;
  onChange: (term: string) => void;
  sections: readonly MenuSection[];
}

/** Filters the menu while typing, and announces the number of matches. */
export function MenuSearch({ term, onChange, sections }: MenuSearchProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const count = sections.reduce((sum, { items }) => sum + items.length, 0);
  return (
    <search className="px-gutter pb-2">
      <label className="edge flex min-h-bar items-center gap-3 rounded-pill bg-surface px-4 focus-within:shadow-[inset_0_0_0_2px_var(--accent),0_0_0_4px_var(--accent-soft)]">
        <Search aria-hidden="true" size={24} strokeWidth={1.75} />
        <span className="sr-only">Search this menu</span>
        <input
          ref={input}
          type="search"
          value={term}
          onChange={(event) => onChange(event.target.value)}
          placeholder="Latte, oat, croissant"
          className="min-w-0 flex-1 bg-transparent py-3 outline-none placeholder:text-ink-3 [&::-webkit-search-cancel-button]:hidden"
        />
      </label>
      <p role="status" className="sr-only">
        {term && `${count} ${count === 1 ? "item" : "items"} found`}
      </p>
    </search>
  );
}
