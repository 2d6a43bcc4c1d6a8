import type { ReactNode } from "react";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";

interface NewTimeSheetProps {
  title: string;
  description: string;
  /** Above the times. */
  children?: ReactNode;
  times: readonly string[];
  format: (readyAt: string) => string;
  isBusy: boolean;
  onChoose: (readyAt: string) => void;
  open: boolean;
  onClose: () => void;
}

/** Offers new promised times for an order. */
export function NewTimeSheet({
  title,
  description,
  children,
  times,
  format,
  isBusy,
  onChoose,
  open,
  onClose,
}: NewTimeSheetProps): ReactNode {
  return (
    <Sheet
      title={title}
      description={description}
      open={open}
      onClose={onClose}
      action={
        <Button variant="link" onClick={onClose}>
          Keep the time
        </Button>
      }
    >
      {children}
      <ul className="mt-4 grid gap-2">
        {times.map((readyAt) => (
          <li key={readyAt} className="grid">
            <Button variant="line" busy={isBusy} onClick={() => onChoose(readyAt)}>
              {format(readyAt)}
            </Button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
