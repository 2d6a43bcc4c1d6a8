import Check from "lucide-react/icons/check";
import type { ReactNode } from "react";
import { formatTime } from "@/lib/time";
import { listOrderSteps, type Step } from "./progress";
import type { Order } from "./queries";

interface OrderStepsProps {
  order: Order;
  /** How the order is paid, shown in the first step. */
  payment: string;
}

export function OrderSteps({ order, payment }: OrderStepsProps): ReactNode {
  const steps = listOrderSteps(order, payment);
  return (
    <ol aria-label="Order progress">
      {steps.map((step, index) => (
        <li
          key={step.name}
          aria-current={step.state === "current" ? "step" : undefined}
          className="relative grid grid-cols-[24px_1fr_auto] gap-3.5 pb-4.5 last:pb-2"
        >
          {index < steps.length - 1 && (
            <span
              aria-hidden="true"
              className={`absolute top-7 bottom-1 left-2.75 w-0.5 ${step.state === "done" ? "bg-success" : "bg-line"}`}
            />
          )}
          <Marker state={step.state} />
          <span>
            <b className={`t-strong block ${step.state === "upcoming" ? "text-ink-2" : ""}`}>
              {step.name}
              <span className="sr-only">{SPOKEN_STATES[step.state]}</span>
            </b>
            {step.note && <span className="t-small num block text-ink-2">{step.note}</span>}
          </span>
          <span className="t-small num leading-[1.5rem] text-ink-2">
            {step.at && formatTime(step.at, order.timeZone)}
          </span>
        </li>
      ))}
    </ol>
  );
}

const SPOKEN_STATES: Readonly<Record<Step["state"], string>> = {
  done: ", done",
  current: ", now",
  upcoming: ", up next",
};

function Marker({ state }: Pick<Step, "state">): ReactNode {
  if (state === "done") {
    return (
      <span
        aria-hidden="true"
        className="grid size-6 place-items-center rounded-full bg-success text-surface"
      >
        <Check size={16} strokeWidth={2.5} />
      </span>
    );
  }
  const ring =
    state === "current"
      ? "bg-surface shadow-[inset_0_0_0_7px_var(--crema)]"
      : "shadow-[inset_0_0_0_2px_var(--line-strong)]";
  return <span aria-hidden="true" className={`size-6 rounded-full ${ring}`} />;
}
