import CreditCard from "lucide-react/icons/credit-card";
import Gift from "lucide-react/icons/gift";
import Landmark from "lucide-react/icons/landmark";
import Plus from "lucide-react/icons/plus";
import Smartphone from "lucide-react/icons/smartphone";
import type { LucideIcon } from "lucide-react/types";
import type { ReactNode } from "react";
import { Logo } from "@/ui/Logo";
import type { PaymentMethod } from "./queries";

/** The `paymentId` of JoePass. Gift cards and company cards have other ones. */
const JOEPASS_PAYMENT_ID = "joebucks";

const ICONS: Readonly<Record<Exclude<PaymentMethod["type"], "joebucks">, LucideIcon>> = {
  card: CreditCard,
  bank: Landmark,
  apple: Smartphone,
  google: Smartphone,
};

/** The icon of a method. A joebucks method with another `paymentId` is a gift card. */
export function MethodIcon({ method }: { method: Pick<PaymentMethod, "type" | "paymentId"> }): ReactNode {
  if (method.type !== "joebucks") return <IconTile icon={ICONS[method.type]} />;
  if (method.paymentId !== JOEPASS_PAYMENT_ID) return <IconTile icon={Gift} />;
  return (
    <span
      aria-hidden="true"
      className="grid h-8 w-11 shrink-0 place-items-center rounded-tag bg-inverse text-inverse-ink"
    >
      <Logo height={13} />
    </span>
  );
}

export function NewMethodIcon(): ReactNode {
  return <IconTile icon={Plus} />;
}

function IconTile({ icon: Icon }: { icon: LucideIcon }): ReactNode {
  return (
    <span
      aria-hidden="true"
      className="grid h-8 w-11 shrink-0 place-items-center rounded-tag bg-sunk text-ink-2"
    >
      <Icon size={20} strokeWidth={1.75} />
    </span>
  );
}
