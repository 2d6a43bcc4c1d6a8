import Plus from "lucide-react/icons/plus";
import X from "lucide-react/icons/x";
import type { ReactNode } from "react";
import { IconButton } from "@/ui/IconButton";
import type { SpanInput } from "./hours";

const MAX_SPANS = 3;
const NEW_SPAN: SpanInput = { opens: "08:00", closes: "18:00" };

interface SpanFieldsProps {
  /** The day: "Monday". */
  label: string;
  spans: readonly SpanInput[];
  onChange: (spans: SpanInput[]) => void;
}

/** Opening and closing times of a day. None: closed. */
export function SpanFields({ label, spans, onChange }: SpanFieldsProps): ReactNode {
  const replace = (index: number, change: Partial<SpanInput>) =>
    onChange(spans.map((span, position) => (position === index ? { ...span, ...change } : span)));
  return (
    <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <legend className="sr-only">{label}</legend>
      {spans.length === 0 && <span className="t-body text-ink-2">Closed</span>}
      {spans.map(({ opens, closes }, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity, and the fields are controlled
          key={index}
          className="large-text:flex-wrap flex items-center gap-1"
        >
          <TimeField
            label={`${label} opens`}
            value={opens}
            onChange={(value) => replace(index, { opens: value })}
          />
          <span aria-hidden="true">–</span>
          <TimeField
            label={`${label} closes`}
            value={closes}
            onChange={(value) => replace(index, { closes: value })}
          />
          <IconButton
            icon={X}
            label={`${label}: remove ${opens} to ${closes}`}
            onClick={() => onChange(spans.filter((_, position) => position !== index))}
          />
        </span>
      ))}
      {spans.length < MAX_SPANS && (
        <span className="console-add-hours">
          <IconButton
            icon={Plus}
            label={spans.length === 0 ? `${label}: open` : `${label}: add hours`}
            onClick={() => onChange([...spans, NEW_SPAN])}
          />
        </span>
      )}
    </fieldset>
  );
}

interface TimeFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

function TimeField({ label, value, onChange }: TimeFieldProps): ReactNode {
  return (
    <input
      type="time"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="console-time num edge"
    />
  );
}
