import type { ReactNode } from "react";
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
        <h2 className="t-title num">{points.balance === 1 ? "1 point" : `${points.balance} points`}</h2>
        <p className="t-small num text-ink-2">{text}</p>
      </div>
      {action}
    </section>
  );
}
