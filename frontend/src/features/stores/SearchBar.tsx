import { Link, useNavigate } from "@tanstack/react-router";
import List from "lucide-react/icons/list";
import MapIcon from "lucide-react/icons/map";
import Search from "lucide-react/icons/search";
import X from "lucide-react/icons/x";
import type { ReactNode } from "react";
import type { StoreFilters } from "./filters";
import { useTypedTerm } from "./use-typed-term";

interface SearchBarProps {
  term: string;
  onChange: (term: string) => void;
  /** The current view. The button at the right switches to the other one. */
  view: "list" | "map";
}

/** Searches while the consumer types. Enter opens the results as their own screen. */
export function SearchBar({ term, onChange, view }: SearchBarProps): ReactNode {
  const other = view === "list" ? "map" : "list";
  const navigate = useNavigate();
  const { text, type, settle } = useTypedTerm(term, onChange);
  const withText = (current: StoreFilters) => ({ ...current, q: text || undefined });
  const openResults = () => void navigate({ to: "/explore/filtered", search: withText });
  const Icon = view === "list" ? MapIcon : List;
  return (
    <search className="flex h-13 items-center rounded-[26px] bg-float pr-1 pl-4 shadow-float focus-within:shadow-[inset_0_0_0_2px_var(--accent),0_0_0_4px_var(--accent-soft)]">
      <form
        className="flex min-w-0 flex-1"
        onSubmit={(event) => {
          event.preventDefault();
          openResults();
        }}
      >
        <label className="flex min-w-0 flex-1 items-center gap-3">
          <Search aria-hidden="true" size={24} strokeWidth={1.75} className="shrink-0" />
          <span className="sr-only">Search stores</span>
          <input
            type="search"
            enterKeyHint="search"
            autoComplete="off"
            value={text}
            onChange={(event) => type(event.target.value)}
            onBlur={settle}
            placeholder="City, ZIP or street"
            className="h-13 min-w-0 flex-1 text-ellipsis bg-transparent outline-none placeholder:text-ink-2 [&::-webkit-search-cancel-button]:hidden"
          />
        </label>
      </form>
      {text !== "" && (
        <button
          type="button"
          aria-label="Clear search"
          onClick={() => type("")}
          className="grid size-target shrink-0 place-items-center rounded-full text-ink-2"
        >
          <X aria-hidden="true" size={20} />
        </button>
      )}
      <Link
        to={other === "map" ? "/explore/map" : "/explore"}
        search={withText}
        aria-label={`View ${other}`}
        className="grid size-target shrink-0 place-items-center rounded-full text-accent"
      >
        <Icon aria-hidden="true" size={24} strokeWidth={1.75} />
      </Link>
    </search>
  );
}
