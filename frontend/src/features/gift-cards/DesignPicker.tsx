import { type ReactNode, useId } from "react";
import { CARD_DESIGNS } from "@/art/gift-card/designs";
import { GiftCardArt } from "@/art/gift-card/GiftCardArt";

interface DesignPickerProps {
  value: string;
  onChange: (design: string) => void;
}

/** A radio group of drawings. */
export function DesignPicker({ value, onChange }: DesignPickerProps): ReactNode {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label="Design"
      className="-mx-gutter flex snap-x scroll-px-gutter gap-3 overflow-x-auto px-gutter py-1 [scrollbar-width:none]"
    >
      {Object.entries(CARD_DESIGNS).map(([design, { label }]) => (
        <label
          key={design}
          className="relative w-28 shrink-0 cursor-pointer snap-start rounded-choice has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={value === design}
            onChange={() => onChange(design)}
          />
          <span
            className={`block overflow-hidden rounded-choice ${value === design ? "outline-3 outline-accent -outline-offset-1" : ""}`}
          >
            <GiftCardArt design={design} small />
          </span>
          <span
            className={`mt-1.5 block text-center ${value === design ? "t-small-strong text-accent" : "t-small text-ink-2"}`}
          >
            {label}
          </span>
        </label>
      ))}
    </div>
  );
}
