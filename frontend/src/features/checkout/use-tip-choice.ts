import { useEffect, useState } from "react";
import { calculatePercentage } from "@/lib/money";

interface Choice {
  /** The tip in cents. Another tab changed it if the tip of the cart differs. */
  amount: number;
  /** Undefined for an amount that the consumer typed, or that another tab set. */
  percent?: number | undefined;
  /** Whether the consumer selected "Other". */
  isOther?: boolean;
}

interface Options {
  percents: readonly number[];
  /** In cents. */
  subtotal: number;
  /** Whether the server calculated the subtotal for this cart. */
  isFinal: boolean;
  /** The tip of the cart in cents. */
  value: number;
  onChange: (tip: number) => void;
}

/**
 * Selects a tip as a percentage or an amount. A percentage is recalculated when the subtotal changes. A tip that another tab set is shown
 * and not changed, because tabs with different quotes would change it endlessly.
 */
export function useTipChoice({ percents, subtotal, isFinal, value, onChange }: Options) {
  const match = percents.find((percent) => calculatePercentage(subtotal, percent) === value);
  const [choice, setChoice] = useState<Choice>({ amount: value, percent: match });
  const { amount, percent, isOther } = choice;
  const calculated = percent === undefined ? undefined : calculatePercentage(subtotal, percent);
  if (amount !== value) {
    setChoice({ amount: value, percent: calculated === value ? percent : isFinal ? match : undefined });
  } else if (isFinal && !isOther && percent === undefined && match !== undefined) {
    setChoice({ amount: value, percent: match });
  }
  const isChanged = isFinal && amount === value && calculated !== undefined && calculated !== value;
  useEffect(() => {
    if (isChanged) onChange(calculated);
  }, [isChanged, calculated, onChange]);
  const change = (next: Choice) => {
    setChoice(next);
    onChange(next.amount);
  };
  return {
    /** The selected percentage; undefined if "Other" is selected. */
    percent: isOther ? undefined : (percent ?? match),
    choosePercent: (chosen: number) =>
      change({ amount: calculatePercentage(subtotal, chosen), percent: chosen }),
    chooseOther: () => setChoice({ amount: value, isOther: true }),
    changeAmount: (typed: number) => change({ amount: typed, isOther: true }),
  };
}
