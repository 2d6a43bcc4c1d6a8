import ChevronDown from "lucide-react/icons/chevron-down";
import { type ReactNode, useId, useState } from "react";
import { deferModule } from "@/lib/defer-module";
import type { Option, SelectOptionsProps } from "./SelectOptions";

interface SelectSheetProps<Value extends string> {
  /** The title of the sheet and the label of the trigger. */
  title: string;
  options: readonly Option<Value>[];
  value: Value | null;
  onConfirm: (value: Value) => void;
  confirmLabel?: string;
  placeholder?: string;
  /** Replaces the label of the option in the trigger. */
  summary?: ReactNode;
  /** Hides the title visually, if a heading above repeats it. */
  titleHidden?: boolean;
  error?: string | undefined;
}

const sheet = deferModule(() => import("./SelectOptions"));

/**
 * The select modal of specification section 2: a trigger with the value, and a bottom sheet of options with a confirm
 * button. The code of the sheet loads when the trigger is hovered or focused.
 */
export function SelectSheet<Value extends string>({
  title,
  options,
  value,
  onConfirm,
  confirmLabel = "Okay",
  placeholder = "Not selected",
  summary,
  titleHidden = false,
  error,
}: SelectSheetProps<Value>): ReactNode {
  const [open, setOpen] = useState(false);
  const [mounted, setMounted] = useState(false);
  const id = useId();
  const chosen = options.find((option) => option.value === value);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-labelledby={`${id}-title ${id}-value`}
        aria-describedby={error ? `${id}-error` : undefined}
        onPointerEnter={() => void sheet.load()}
        onFocus={() => void sheet.load()}
        onClick={() => {
          setMounted(true);
          setOpen(true);
        }}
        className={`flex min-h-16 w-full items-center gap-3 rounded-choice bg-surface px-4 py-2 text-left ${error ? "shadow-[inset_0_0_0_2px_var(--danger)]" : "edge-hair"}`}
      >
        {chosen?.prefix}
        <span className="min-w-0 flex-1">
          <span id={`${id}-title`} className={titleHidden ? "sr-only" : "t-small block text-ink-2"}>
            {title}
          </span>
          <span id={`${id}-value`} className="t-strong block">
            {chosen ? (summary ?? chosen.label) : placeholder}
          </span>
        </span>
        <ChevronDown aria-hidden="true" size={20} className="shrink-0 text-ink-2" />
      </button>
      {error && (
        <p id={`${id}-error`} className="t-small mt-1.5 text-danger">
          {error}
        </p>
      )}
      {mounted && (
        <Options
          title={title}
          options={options}
          value={value}
          confirmLabel={confirmLabel}
          open={open}
          onClose={() => setOpen(false)}
          onConfirm={(confirmed) => {
            setOpen(false);
            onConfirm(confirmed);
          }}
        />
      )}
    </>
  );
}

function Options<Value extends string>(props: SelectOptionsProps<Value>): ReactNode {
  const loaded = sheet.use();
  return loaded && <loaded.default {...props} />;
}
