import { findCardDesign } from "@/art/gift-card/designs";
import { formatMoney, type Money } from "@/lib/money";

/** The parts of a balance that name a gift card. */
interface NamedCard {
  kind: string;
  companyName: string | null;
  design: string | null;
  codeSuffix: string | null;
}

/** "Birthday gift card", "Physical gift card", "Juniper Lane card". */
export function formatCardName({ kind, companyName, design }: NamedCard): string {
  if (kind === "CompanyCard") return `${companyName ?? "Company"} card`;
  if (kind === "PhysicalGiftCard") return "Physical gift card";
  return formatDesignName(design);
}

/** "Birthday gift card"; "Gift card" for the classic design. */
export function formatDesignName(design: string | null): string {
  const { label } = findCardDesign(design);
  return label === "Classic" ? "Gift card" : `${label} gift card`;
}

interface CardBalance {
  balance: Money;
  held: Money;
  pending: Money;
  isActive: boolean;
}

/** Explains what is not in the balance: "$5.00 on hold", "$25.00 pending", "Not used at checkout". */
export function formatCardDetail(card: NamedCard & CardBalance): string {
  const parts = [
    card.codeSuffix && `Ending ${card.codeSuffix}`,
    card.held.currencyAmount > 0 && `${formatMoney(card.held)} on hold`,
    card.pending.currencyAmount > 0 && `${formatMoney(card.pending)} pending`,
    !card.isActive && "Not used at checkout",
  ];
  return parts.filter(Boolean).join(", ") || "Ready to use";
}

/** "Pay $20, get $25": the deal in one line. */
export function formatDealTerms({ price, value }: { price: Money; value: Money }): string {
  return `Pay ${formatMoney(price, { bare: true })}, get ${formatMoney(value, { bare: true })}`;
}
