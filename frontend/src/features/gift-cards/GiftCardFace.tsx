import type { ReactNode } from "react";
import { GiftCardArt } from "@/art/gift-card/GiftCardArt";

interface GiftCardFaceProps {
  design: string | null;
  /** "Birthday gift card" */
  title: string;
  /** Below the title: "For Ana", "Code ending 4F7K". */
  detail?: ReactNode;
  /** Formatted: "$25.00". */
  amount: string | null;
}

/** A gift card as it is given: the drawing, and below its counter the amount. */
export function GiftCardFace({ design, title, detail, amount }: GiftCardFaceProps): ReactNode {
  return (
    <section aria-label={title} className="overflow-hidden rounded-sheet bg-surface">
      <GiftCardArt design={design} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 px-5 py-4">
        <span className="min-w-0">
          <span className="t-strong block">{title}</span>
          {detail && <span className="t-small block truncate text-ink-2">{detail}</span>}
        </span>
        {amount && <span className="num t-title">{amount}</span>}
      </div>
    </section>
  );
}
