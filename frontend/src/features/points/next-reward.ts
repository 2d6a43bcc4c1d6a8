import type { GetData } from "@/api/contract";

export type Points = NonNullable<GetData<"/user/my-joe">["points"]>;

/** What points lead to next: how many the reward takes, and the sentence below the count. */
export function nextReward({ balance, tiers, pointsPerUnit }: Points): { goal: number; words: string } {
  const next = tiers.find(({ points }) => points > balance);
  const best = tiers.findLast(({ points }) => points <= balance);
  if (next) {
    const more = `${next.points - balance} more for ${lowered(next.title)}`;
    return { goal: next.points, words: best ? `${more}; enough for ${lowered(best.title)}` : more };
  }
  if (best) return { goal: best.points, words: `Enough for ${lowered(best.title)}` };
  return { goal: balance, words: `${pointsPerUnit} points for each dollar` };
}

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
