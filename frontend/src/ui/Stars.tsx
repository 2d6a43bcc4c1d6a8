import Star from "lucide-react/icons/star";
import StarHalf from "lucide-react/icons/star-half";
import type { ReactNode } from "react";

type StarLook = "empty" | "half" | "filled";

interface StarIconProps {
  look: StarLook;
  size: number;
}

/** A star in one of the three looks of specification section 4. */
export function StarIcon({ look, size }: StarIconProps): ReactNode {
  const icon = { "aria-hidden": true, size, strokeWidth: 1.75 } as const;
  return (
    <span data-look={look} className={`relative block ${look === "empty" ? "text-ink-3" : "text-star"}`}>
      <Star {...icon} fill={look === "filled" ? "currentColor" : "none"} />
      {look === "half" && <StarHalf {...icon} fill="currentColor" className="absolute inset-0" />}
    </span>
  );
}

const POSITIONS = [1, 2, 3, 4, 5] as const;

/** An average of one to five stars, shown in halves. `tenths`: the average times ten. */
export function Stars({ tenths }: { tenths: number }): ReactNode {
  const halves = Math.round(tenths / 5);
  return (
    <span role="img" aria-label={`${formatAverage(tenths)} of 5 stars`} className="inline-flex gap-0.5">
      {POSITIONS.map((position) => (
        <StarIcon key={position} look={getLook(halves, position)} size={16} />
      ))}
    </span>
  );
}

/** Formats an average: "4.5". */
export const formatAverage = (tenths: number): string => `${Math.floor(tenths / 10)}.${tenths % 10}`;

function getLook(halves: number, position: number): StarLook {
  if (halves >= 2 * position) return "filled";
  return halves === 2 * position - 1 ? "half" : "empty";
}
