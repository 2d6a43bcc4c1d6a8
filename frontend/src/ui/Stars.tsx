import { Star, StarHalf } from "lucide-react";
import { type ReactNode, useId } from "react";

const ALL = [1, 2, 3, 4, 5] as const;

/** A rating to read, in halves: empty, half-filled and filled stars. */
export function Stars({ value, size = 16 }: { value: number; size?: number }): ReactNode {
  const halves = Math.round(value * 2);
  return (
    <span role="img" aria-label={`${value} of 5 stars`} className="inline-flex text-star">
      {ALL.map((star) => (
        <span key={star} className="relative">
          <Star
            aria-hidden="true"
            size={size}
            fill={halves >= star * 2 ? "currentColor" : "none"}
            strokeWidth={1.5}
          />
          {halves === star * 2 - 1 && (
            <StarHalf
              aria-hidden="true"
              size={size}
              fill="currentColor"
              strokeWidth={0}
              className="absolute inset-0"
            />
          )}
        </span>
      ))}
    </span>
  );
}

interface StarsInputProps {
  label: string;
  /** 0 while nothing is chosen. */
  value: number;
  onChange: (value: number) => void;
}

/** A rating to give: five radio buttons that look like stars. */
export function StarsInput({ label, value, onChange }: StarsInputProps): ReactNode {
  const name = useId();
  return (
    <fieldset className="flex justify-center gap-1">
      <legend className="sr-only">{label}</legend>
      {ALL.map((star) => (
        <label
          key={star}
          className="grid size-12 cursor-pointer place-items-center rounded-full text-star has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={value === star}
            onChange={() => onChange(star)}
            aria-label={star === 1 ? "1 star" : `${star} stars`}
          />
          <Star
            aria-hidden="true"
            size={36}
            strokeWidth={1.5}
            fill={star <= value ? "currentColor" : "none"}
          />
        </label>
      ))}
    </fieldset>
  );
}
