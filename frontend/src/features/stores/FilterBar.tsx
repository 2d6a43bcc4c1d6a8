import Car from "lucide-react/icons/car";
import Check from "lucide-react/icons/check";
import Heart from "lucide-react/icons/heart";
import type { LucideIcon } from "lucide-react/types";
import type { ReactNode } from "react";
import type { StoreFilters } from "./filters";

interface FilterBarProps {
  value: StoreFilters;
  onChange: (next: StoreFilters) => void;
  /** Only signed-in consumers have favorites. */
  withFavorites: boolean;
}

/** Toggles for the store filters, above the list and over the map. */
export function FilterBar({ value, onChange, withFavorites }: FilterBarProps): ReactNode {
  const toggle = (key: "open" | "curbside" | "favorites") => () =>
    onChange({ ...value, [key]: value[key] ? undefined : true });
  return (
    <div className="-mx-gutter flex gap-2 overflow-x-auto px-gutter py-2.5 [scrollbar-width:none] [mask-image:linear-gradient(90deg,transparent,#000_20px,#000_calc(100%-20px),transparent)]">
      <FilterPill on={value.open === true} onPress={toggle("open")}>
        Open now
      </FilterPill>
      <FilterPill icon={Car} on={value.curbside === true} onPress={toggle("curbside")}>
        Curbside
      </FilterPill>
      {withFavorites && (
        <FilterPill icon={Heart} on={value.favorites === true} onPress={toggle("favorites")}>
          Favorites
        </FilterPill>
      )}
    </div>
  );
}

interface FilterPillProps {
  icon?: LucideIcon;
  on: boolean;
  onPress: () => void;
  children: ReactNode;
}

function FilterPill({ icon, on, onPress, children }: FilterPillProps): ReactNode {
  const Icon = on ? Check : icon;
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onPress}
      className={`t-small-strong inline-flex min-h-target shrink-0 items-center gap-1.5 rounded-pill pr-3.5 pl-3 ${on ? "bg-accent text-on-accent" : "bg-float text-accent shadow-float"}`}
    >
      {Icon && <Icon aria-hidden="true" size={16} strokeWidth={2} />}
      {children}
    </button>
  );
}
