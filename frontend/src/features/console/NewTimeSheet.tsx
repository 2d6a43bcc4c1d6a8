import { type ReactNode, useEffect, useState } from "react";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";
import { RadioRows } from "./RadioRows";

interface NewTimeSheetProps {
  title: string;
  description: string;
  /** Above the times. */
  children?: ReactNode;
  times: readonly string[];
  format: (readyAt: string) => string;
  /** Names what the button does: "Delay to 8:55". */
  formatConfirm: (readyAt: string) => string;
  isBusy: boolean;
  onConfirm: (readyAt: string) => void;
  open: boolean;
  onClose: () => void;
}

/** Asks for a new promised time of an order, and for a confirmation. */
export function NewTimeSheet({
  title,
  description,
  children,
  times,
  format,
  formatConfirm,
  isBusy,
  onConfirm,
  open,
  onClose,
}: NewTimeSheetProps): ReactNode {
  const [picked, choose] = useState<string>();
  // The times can change while the sheet is open.
  const chosen = picked !== undefined && times.includes(picked) ? picked : undefined;
  useEffect(() => {
    if (open) choose(undefined);
  }, [open]);
  return (
    <Sheet
      title={title}
      description={description}
      open={open}
      onClose={onClose}
      action={
        <div className="grid gap-2">
          <Button
            big
            disabled={chosen === undefined}
            busy={isBusy}
            onClick={() => chosen !== undefined && onConfirm(chosen)}
          >
            {chosen === undefined ? "Choose a new time" : formatConfirm(chosen)}
          </Button>
          <Button variant="link" onClick={onClose}>
            Keep the time
          </Button>
        </div>
      }
    >
      {children}
      {times.length > 0 && (
        <div className="mt-2">
          <RadioRows
            label="New time"
            options={times.map((value) => ({ value, label: format(value) }))}
            selected={chosen}
            onSelect={choose}
          />
        </div>
      )}
    </Sheet>
  );
}
