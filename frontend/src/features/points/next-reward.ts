import type { GetData } from "@/api/contract";

export type Points = NonNullable<GetData<"/user/my-joe">["points"]>;

/** What points lead to next: how many the reward takes, and the sentence below the count. */
export function nextReward({ balance, tiers, pointsPerUnit }: Points): { goal: number; words: string } {
  const next = tiers.find(({ points }) => points > balance);
  const best = tiers.findLast(({ points }) => points <= balance);
  const earned = best && `You have ${nameOf(best.title)}.`;
  if (next) {
    const missing = `${next.points - balance} points to ${lowered(next.title.replace(/ a drink$/, ""))}.`;
    return { goal: next.points, words: [earned, missing].filter(Boolean).join(" ") };
  }
  if (best && earned) return { goal: best.points, words: earned };
  return { goal: balance, words: `Earn ${pointsPerUnit} points per dollar.` };
}

/** "a $1 reward" for "$1 off a drink", "a free drink up to $6" for "A free drink up to $6". */
function nameOf(title: string): string {
  const amount = /^(\$[\d.]+) off\b/.exec(title)?.[1];
  return amount ? `a ${amount} reward` : lowered(title);
}

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
