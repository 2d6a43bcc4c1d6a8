import type { GetData } from "@/api/contract";

export type Points = NonNullable<GetData<"/user/my-joe">["points"]>;

/** Returns the points that the next reward costs, and a sentence about it. */
export function describeNextReward({ balance, tiers, pointsPerUnit }: Points): {
  goal: number;
  text: string;
} {
  const next = tiers.find(({ points }) => points > balance);
  const best = tiers.findLast(({ points }) => points <= balance);
  const earned = best && `You have ${lowercaseFirst(best.title)}.`;
  if (next) {
    const missing = `${next.points - balance} points to ${lowercaseFirst(next.title)}.`;
    return { goal: next.points, text: [earned, missing].filter(Boolean).join(" ") };
  }
  if (best && earned) return { goal: best.points, text: earned };
  return { goal: balance, text: `Earn ${pointsPerUnit} points per dollar.` };
}

const lowercaseFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
