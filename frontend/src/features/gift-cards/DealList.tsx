import ChevronRight from "lucide-react/icons/chevron-right";
import type { ReactNode } from "react";
import { deviceZone, formatDayInSentence } from "@/lib/time";
import { formatDealTerms } from "./format";
import type { Deal } from "./queries";

interface DealListProps {
  deals: readonly Deal[];
  /** Renders the link to buy a deal around its content. */
  link: (deal: Deal, content: ReactNode) => ReactNode;
}

/** The deals with their terms and end dates. */
export function DealList({ deals, link }: DealListProps): ReactNode {
  return (
    <ul aria-label="Deals" className="grid gap-2">
      {deals.map((deal) => (
        <li key={deal.id}>{link(deal, <DealContent deal={deal} />)}</li>
      ))}
    </ul>
  );
}

/** Classes of a link around a deal. */
export const dealLink = "flex min-h-20 items-center gap-3 rounded-card bg-surface px-5 py-3.5";

function DealContent({ deal }: { deal: Deal }): ReactNode {
  const terms = formatDealTerms(deal);
  return (
    <>
      <span className="min-w-0 flex-1">
        <span className="t-heading num block">{terms}</span>
        {deal.title !== terms && <span className="block">{deal.title}</span>}
        <span className="t-small num block text-ink-2">{formatConditions(deal)}</span>
      </span>
      <ChevronRight aria-hidden="true" size={20} className="shrink-0 text-accent" />
    </>
  );
}

/** "For Juniper Lane stores. Until Mon, Dec 1. You can use it once." */
function formatConditions({ description, companyName, endsAt, usesLeft }: Deal): string {
  const parts = [
    description,
    companyName && !description.includes(companyName) && `For ${companyName} stores.`,
    endsAt && `Until ${formatDayInSentence(endsAt, deviceZone(), new Date())}.`,
    usesLeft === 1 ? "You can use it once." : `You can use it ${usesLeft} times.`,
  ];
  return parts.filter(Boolean).join(" ");
}
