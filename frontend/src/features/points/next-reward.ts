import type { GetData } from "@/api/contract";

export type Points = NonNullable<GetData<"/user/my-joe">["points"]>;

/** Returns the points that the next reward costs, and a sentence about it. */
export function describeNextReward({ balance, tiers, pointsPerUnit }: Points): {
  goal: number;
  text: string;
} {
  const next = tiers.find(({ points }) => points > balance);
  const best = tiers.findLast(({ points }) => points <= balance);
  const earned = best && `You have ${formatReward(best.title)}.`;
  if (next) {
    const missing = `${next.points - balance} points to ${lowerFirst(next.title.replace(/ a drink$/, ""))}.`;
    return { goal: next.points, text: [earned, missing].filter(Boolean).join(" ") };
  }
  if (best && earned) return { goal: best.points, text: earned };
  return { goal: balance, text: `Earn ${pointsPerUnit} points per dollar.` };
}

/** "a $1 reward" for "$1 off a drink", "a free drink up to $6" for "A free drink up to $6". */
function formatReward(title: string): string {
  const amount = /^(\$[\d.]+) off\b/.exec(title)?.[1];
  return amount ? `a ${amount} reward` : lowerFirst(title);
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
