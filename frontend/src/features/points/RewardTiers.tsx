import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { applyPromo } from "@/state/apply-promo";
import { Button } from "@/ui/Button";
import { toast } from "@/ui/toast";
import { formatPoints } from "./format";
import type { Points } from "./next-reward";

/** The rewards and their prices in points, cheapest first. */
export function RewardTiers({ points: { balance, tiers } }: { points: Points }): ReactNode {
  return (
    <ul aria-label="Rewards" className="divide-y divide-line">
      {tiers.map((tier) => (
        <li key={tier.points} className="flex min-h-16 items-center justify-between gap-4 py-2.5">
          <div className="min-w-0">
            <p className="t-strong">{tier.title}</p>
            <p className="t-small num text-ink-2">{formatPoints(tier.points)}</p>
          </div>
          {tier.code !== null && tier.points <= balance && <UseReward title={tier.title} code={tier.code} />}
        </li>
      ))}
    </ul>
  );
}

/** Puts the reward into the cart. It costs its points when the order is placed. */
function UseReward({ title, code }: { title: string; code: string }): ReactNode {
  const navigate = useNavigate();
  const use = () => {
    const hasItems = applyPromo(code);
    if (!hasItems) toast("Your reward is ready. Pick a drink.");
    void navigate({ to: hasItems ? "/cart" : "/explore" });
  };
  return (
    <Button variant="soft" aria-label={`Use: ${title}`} onClick={use}>
      Use
    </Button>
  );
}
