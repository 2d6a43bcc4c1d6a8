import type { ReactNode } from "react";
import { Button } from "@/ui/Button";

const STEPS = [
  "Order at the counter as usual.",
  "Tell the barista the four digits, or show your screen.",
  "They take the amount from your JoePass. You'll see it in your activity.",
];

/** How to pay with a PIN. Shown once. */
export function PinGuide({ onDone }: { onDone: () => void }): ReactNode {
  return (
    <section className="grid gap-5 rounded-card bg-surface p-5">
      <h2 className="t-title">Pay at the counter with a PIN</h2>
      <ol className="grid gap-3">
        {STEPS.map((step, index) => (
          <li key={step} className="flex items-start gap-3">
            <span
              aria-hidden="true"
              className="t-strong num grid size-8 shrink-0 place-items-center rounded-full bg-sunk text-ink-2"
            >
              {index + 1}
            </span>
            <span className="pt-1">{step}</span>
          </li>
        ))}
      </ol>
      <p className="t-small text-ink-2">A PIN works once, at one store, for two minutes.</p>
      <Button big onClick={onDone}>
        Show my PIN
      </Button>
    </section>
  );
}
