import type { ReactNode } from "react";
import { Tag } from "@/ui/Tag";
import { formatPoints } from "./format";
import type { Points } from "./next-reward";

/** The rewards and their prices in points, cheapest first. */
export function RewardTiers({ points: { balance, tiers } }: { points: Points }): ReactNode {
  return (
    <ul aria-label="Rewards" className="divide-y divide-line">
      {tiers.map((tier) => (
        <li key={tier.points} className="flex min-h-16 items-center justify-between gap-4 py-2.5">
          <span className="t-strong min-w-0">{tier.title}</span>
          {tier.points <= balance ? (
            <Tag>You have it</Tag>
          ) : (
            <span className="t-small num shrink-0 text-ink-2">{formatPoints(tier.points)}</span>
          )}
        </li>
      ))}
    </ul>
  );
}
