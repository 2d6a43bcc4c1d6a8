import X from "lucide-react/icons/x";
import { type ReactNode, useState } from "react";
import { Button } from "@/ui/Button";
import { IconButton } from "@/ui/IconButton";
import { isOpenAllDay, type SpanInput, suggestSpan } from "./hours";

const MAX_SPANS = 3;

interface SpanFieldsProps {
  /** The day: "Monday". */
  label: string;
  spans: readonly SpanInput[];
  onChange: (spans: SpanInput[]) => void;
}

/** Opening and closing times of a day. None: closed. */
export function SpanFields({ label, spans, onChange }: SpanFieldsProps): ReactNode {
  /** The span that the staff change. Its times are shown, also if they are midnight to midnight. */
  const [changed, setChanged] = useState<number>();
  const replace = (index: number, change: Partial<SpanInput>) => {
    setChanged(index);
    onChange(spans.map((span, position) => (position === index ? { ...span, ...change } : span)));
  };
  const remove = (index: number) => {
    setChanged(undefined);
    onChange(spans.filter((_, position) => position !== index));
  };
  const next = spans.length < MAX_SPANS ? suggestSpan(spans) : undefined;
  return (
    <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <legend className="sr-only">{label}</legend>
      {spans.length === 0 && <span className="t-body text-ink-2">Closed</span>}
      {isOpenAllDay(spans) && changed === undefined ? (
        <AllDay label={label} onChange={() => setChanged(0)} onRemove={() => remove(0)} />
      ) : (
        spans.map(({ opens, closes }, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity, and the fields are controlled
            key={index}
            className="large-text:flex-wrap flex items-center gap-1"
          >
            <TimeField
              label={`${label} opens`}
              value={opens}
              hasFocus={index === changed}
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
              onClick={() => remove(index)}
            />
          </span>
        ))
      )}
      {next && (
        <span className="console-add-hours">
          <Button
            variant="link"
            aria-label={`Add hours, ${label}`}
            onClick={() => {
              setChanged(spans.length);
              onChange([...spans, next]);
            }}
          >
            Add hours
          </Button>
        </span>
      )}
    </fieldset>
  );
}

interface AllDayProps {
  label: string;
  onChange: () => void;
  onRemove: () => void;
}

/** The hours of a day from midnight to midnight, in words. */
function AllDay({ label, onChange, onRemove }: AllDayProps): ReactNode {
  return (
    <span className="flex flex-wrap items-center gap-x-4">
      Open 24 hours
      <Button variant="link" aria-label={`Change, ${label}`} onClick={onChange}>
        Change
      </Button>
      <IconButton icon={X} label={`${label}: remove 24 hours`} onClick={onRemove} />
    </span>
  );
}

interface TimeFieldProps {
  label: string;
  value: string;
  /** The field takes the focus when it appears. */
  hasFocus?: boolean;
  onChange: (value: string) => void;
}

function TimeField({ label, value, hasFocus = false, onChange }: TimeFieldProps): ReactNode {
  return (
    <input
      type="time"
      aria-label={label}
      value={value}
      // biome-ignore lint/a11y/noAutofocus: the field replaces the button that was pressed
      autoFocus={hasFocus}
      onChange={(event) => onChange(event.target.value)}
      className="console-time num edge"
    />
  );
}
