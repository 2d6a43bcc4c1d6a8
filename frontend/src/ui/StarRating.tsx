import { type ReactNode, useId } from "react";
import { StarIcon } from "./Stars";

interface StarRatingProps {
  label: string;
  /** 1 to 5; 0 without a rating. */
  value: number;
  onChange: (value: number) => void;
  error?: string | undefined;
}

const STARS = [1, 2, 3, 4, 5] as const;

/** A choice of one to five stars. */
export function StarRating({ label, value, onChange, error }: StarRatingProps): ReactNode {
  const id = useId();
  return (
    <div>
      <div
        role="radiogroup"
        aria-label={label}
        aria-describedby={`${id}-error`}
        aria-invalid={error !== undefined}
        className="flex justify-center gap-1"
      >
        {STARS.map((stars) => (
          <label
            key={stars}
            className="grid size-13 cursor-pointer place-items-center rounded-full has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={id}
              className="sr-only"
              aria-label={stars === 1 ? "1 star" : `${stars} stars`}
              checked={stars === value}
              onChange={() => onChange(stars)}
            />
            <StarIcon look={stars <= value ? "filled" : "empty"} size={36} />
          </label>
        ))}
      </div>
      <p id={`${id}-error`} role="alert" className="t-small mt-1 text-center text-danger empty:hidden">
        {error}
      </p>
    </div>
  );
}
