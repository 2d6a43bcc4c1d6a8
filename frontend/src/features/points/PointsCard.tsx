import type { ReactNode } from "react";
import { device } from "@/state/device";
import { useItem } from "@/state/device-item";
import { describeNextReward, type Points } from "./next-reward";
import { PointsRing } from "./PointsRing";

interface PointsCardProps {
  points: Points;
  /** A link at the right. */
  action?: ReactNode;
}

/** The points balance with the distance to the next reward. */
export function PointsCard({ points, action }: PointsCardProps): ReactNode {
  const { goal, text } = describeNextReward(points);
  return (
    <section aria-label="Points" className="flex min-h-23 items-center gap-4">
      <PointsRing value={points.balance} goal={goal} />
      <div className="min-w-0 flex-1">
        <h2 className="t-title num flex items-center gap-2 whitespace-nowrap large-text:whitespace-normal">
          {points.balance === 1 ? "1 point" : `${points.balance} points`}
          <RewardIndicator />
        </h2>
        <p className="t-small num text-balance text-ink-2">{text}</p>
      </div>
      {action}
    </section>
  );
}

/** A dot on reward days, until the consumer opens the rewards (specification section 4). */
function RewardIndicator(): ReactNode {
  if (!useItem(device.rewardIndicator)?.shows) return null;
  return (
    <span className="size-2.25 shrink-0 rounded-full bg-badge">
      <span className="sr-only">Bonus day</span>
    </span>
  );
}
