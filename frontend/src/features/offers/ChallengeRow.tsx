import type { ReactNode } from "react";
import { Button } from "@/ui/Button";
import { Tag } from "@/ui/Tag";
import { formatClaimed, formatEnd, formatProgress, formatReward } from "./format";
import { useClaimChallenge } from "./mutations";
import type { Challenge } from "./queries";

/** A challenge with its progress. A completed challenge has a button that claims its points. */
export function ChallengeRow({ challenge }: { challenge: Challenge }): ReactNode {
  const claim = useClaimChallenge();
  const { challengeId, title, body, state, progress, target } = challenge;
  return (
    <li className="grid gap-3 rounded-card bg-surface p-4">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 className="t-strong">{title}</h3>
          <p className="t-small text-ink-2">{body}</p>
        </div>
        <span className="t-small-strong num shrink-0 text-crema">+{formatReward(challenge)}</span>
      </div>
      <div>
        <div aria-hidden="true" className="h-2 overflow-hidden rounded-pill bg-crema-track">
          <div
            className="h-full rounded-pill bg-crema transition-[width] duration-pour ease-pour"
            style={{ width: `${target > 0 ? (100 * progress) / target : 100}%` }}
          />
        </div>
        <p className="t-small num mt-2 flex flex-wrap justify-between gap-x-4 text-ink-2">
          <span>{formatProgress(challenge)}</span>
          {state === "open" && <span>{formatEnd(challenge.endsAt, new Date())}</span>}
          {state === "claimed" && <Tag tone="good">{formatClaimed(challenge, new Date())}</Tag>}
        </p>
      </div>
      {state === "completed" && (
        <Button
          variant="soft"
          busy={claim.isPending}
          aria-label={`Claim ${formatReward(challenge)}: ${title}`}
          onClick={() => claim.mutate(challengeId)}
        >
          Claim {formatReward(challenge)}
        </Button>
      )}
    </li>
  );
}
